import { EstimateBy, RunCounts, RunKind, RunTotals, SignOff } from '@voisol/contract/allocations'
import { ConsentPurpose } from '@voisol/contract/consents'
import { DocumentOwner } from '@voisol/contract/documents'
import { KeyShare, KeyStatus, KeyUpdate } from '@voisol/contract/keys'
import { AccNumber, OperationStatus, OperationUpdate } from '@voisol/contract/operations'
import { Day, Id, Instant, Text, TimeClass } from '@voisol/contract/primitives'
import { z } from 'zod'
import {
  type ArchiveTable,
  Author,
  bytes,
  Count,
  Energy,
  Hash,
  HERE,
  ignoreColumn,
  isAfter,
  Label,
  Month,
  mayReferTo,
  OWN,
  readIntegers,
  refersTo,
  VERSIONED,
} from './columns.ts'
import { DAY_BYTES, DAY_FAULT, MAX_DAYS } from './readings.ts'

const END_FAULT = 'La fin doit venir après le début.'

const IN_SERVICE = ['active', 'suspended']

const operation = OperationUpdate.shape
const key = KeyUpdate.shape
const share = KeyShare.shape
const Empty = z.strictObject({})
/** With the data it was given for; the account that gave it is one of the installation that wrote it. */
const StoredSignOff = z
  .strictObject({ ...SignOff.shape, inputHash: Hash, userId: Id.optional() })
  .transform(({ userId: _, ...signOff }) => signOff)

export const ENERGY: Record<string, ArchiveTable> = {
  operations: {
    label: 'Opérations',
    from: 'trusted',
    maxRows: 5000,
    columns: {
      ...VERSIONED,
      name: operation.name,
      acc_number: AccNumber.nullable(),
      status: OperationStatus,
      description: operation.description,
      pmo_name: operation.pmoName,
      pmo_siren: operation.pmoSiren,
      address: operation.address,
      postal_code: operation.postalCode,
      city: operation.city,
      latitude: operation.latitude,
      longitude: operation.longitude,
      perimeter: operation.perimeter,
      zone: operation.zone,
      capacity_watts: operation.capacityWatts,
      step_minutes: operation.stepMinutes,
      starts_on: operation.startsOn,
      ends_on: operation.endsOn,
      surplus_buyer: operation.surplusBuyer,
      unit_price: operation.unitPrice,
      vat_mode: operation.vatMode,
      time_calendar: operation.timeCalendar,
    },
    check: (row) =>
      row.acc_number === null && IN_SERVICE.includes(String(row.status))
        ? 'Une opération en service a un numéro (ACC et huit chiffres).'
        : isAfter('starts_on', 'ends_on', END_FAULT)(row),
  },
  participations: {
    label: 'Participations',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      operation_id: refersTo('operations'),
      participant_id: refersTo('participants'),
      point_id: refersTo('points'),
      starts_on: Day,
      ends_on: Day.nullable(),
      notice_on: Day.nullable(),
      agreement_signed_on: Day.nullable(),
    },
    check: isAfter('starts_on', 'ends_on', END_FAULT),
  },
  consents: {
    label: 'Consentements',
    from: 'trusted',
    columns: {
      ...OWN,
      participant_id: refersTo('participants'),
      purpose: ConsentPurpose,
      text_version: Text,
      method: z.enum(['portal', 'paper', 'import', 'joining']),
      given_at: Instant,
      expires_on: Day,
      withdrawn_at: Instant.nullable(),
      recorded_by: Author,
      ip: Label,
    },
  },
  keys: {
    label: 'Clés de répartition',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      operation_id: refersTo('operations'),
      number: Count,
      method: key.method,
      label: key.label,
      status: KeyStatus,
      starts_on: Day,
      decimals: key.decimals,
    },
  },
  key_shares: {
    label: 'Parts des clés',
    from: 'trusted',
    columns: {
      id: Id,
      key_id: refersTo('keys'),
      point_id: refersTo('points'),
      producer_id: mayReferTo('points'),
      share: share.share.unwrap(),
      rank: share.rank.unwrap(),
    },
  },
  key_coefficients: {
    label: 'Coefficients des clés',
    from: 'trusted',
    maxRows: MAX_DAYS,
    columns: {
      id: Id,
      key_id: refersTo('keys'),
      producer_id: mayReferTo('points'),
      point_id: refersTo('points'),
      day: Day,
      values: bytes(DAY_BYTES),
    },
    check: (row) => (readIntegers(row.values, 1_000_000) ? undefined : DAY_FAULT),
  },
  allocation_runs: {
    label: 'Calculs de répartition',
    from: 'trusted',
    columns: {
      ...OWN,
      operation_id: refersTo('operations'),
      starts_on: Day,
      ends_on: Day,
      kind: RunKind,
      status: z.enum(['done', 'failed']),
      estimated: z.boolean(),
      estimate_by: EstimateBy,
      progress: z.int().min(0).max(100),
      message: z.string().max(2000),
      input_hash: Hash.nullable(),
      result_hash: Hash.nullable(),
      kept_hash: Hash.nullable(),
      engine_version: Label,
      key_ids: z.array(z.strictObject({ id: Id, number: Count, method: key.method })).max(1000),
      counts: z.union([Empty, z.strictObject(RunCounts.shape)]),
      totals: z.union([Empty, z.strictObject(RunTotals.shape)]),
      completeness: ignoreColumn('it is read again from the curves'),
      sign_off: StoredSignOff.nullable(),
      stale_at: Instant.nullable(),
      stale_reason: z.string().max(2000),
      created_by: ignoreColumn(HERE),
      key_id: ignoreColumn(HERE),
      started_at: Instant.nullable(),
      finished_at: Instant.nullable(),
    },
    idsInValues: { 'key_ids.*.id': 'keys' },
  },
  allocation_days: {
    label: 'Journées réparties',
    from: 'trusted',
    maxRows: MAX_DAYS,
    columns: {
      run_id: refersTo('allocation_runs'),
      point_id: refersTo('points'),
      day: Day,
      allocated: bytes(DAY_BYTES),
      total: Energy,
      local: Energy,
      excluded: z.int().min(0).max(1500),
    },
    check: (row) => (readIntegers(row.allocated, 2_000_000_000) ? undefined : DAY_FAULT),
  },
  allocation_totals: {
    label: 'Totaux répartis',
    from: 'trusted',
    columns: {
      run_id: refersTo('allocation_runs'),
      point_id: refersTo('points'),
      month: Month,
      time_class: TimeClass,
      total: Energy,
      local: Energy,
    },
  },
  allocation_pairs: {
    label: 'Échanges répartis',
    from: 'trusted',
    maxRows: MAX_DAYS,
    columns: {
      run_id: refersTo('allocation_runs'),
      producer_id: refersTo('points'),
      point_id: refersTo('points'),
      month: Month,
      time_class: TimeClass,
      energy: Energy,
      days: bytes(8 * 31).nullable(),
    },
  },
  allocation_coverage: {
    label: 'Jours couverts par un calcul',
    from: 'trusted',
    columns: { operation_id: refersTo('operations'), day: Day, run_id: refersTo('allocation_runs') },
  },
  documents: {
    label: 'Documents',
    from: 'trusted',
    columns: {
      ...OWN,
      owner_kind: DocumentOwner,
      owner_id: Id,
      file_id: refersTo('files'),
      label: z.string().trim().max(200),
      added_by: Author,
    },
    refersTo: ({ owner_kind, owner_id }) => [[owner_kind === 'project' ? 'projects' : 'operations', String(owner_id)]],
    after: ['projects'],
  },
}
