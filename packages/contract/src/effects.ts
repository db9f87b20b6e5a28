import { z } from 'zod'
import { BulkActionDraft } from './bulk.ts'
import { curves } from './curves.ts'
import { defineEndpoint, type Endpoint } from './endpoint.ts'
import { KeyAdoption, KeyUpdate, keys, MAX_COEFFICIENT_BYTES } from './keys.ts'
import { Cents } from './money.ts'
import { OperationStatusChange, OperationUpdate, operations } from './operations.ts'
import { participants } from './participants.ts'
import { ParticipationDates, ParticipationDraft, ParticipationTransfer, participations } from './points.ts'
import { Day, Direction, Id, WattMinutes } from './primitives.ts'
import { TariffAdoption, tariffs } from './tariffs.ts'

/** A change that may reach days which were computed already, as the call that makes it takes it. */
export const RetroactiveChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('join'), body: ParticipationDraft }),
  z.strictObject({ kind: z.literal('dates'), id: Id, body: ParticipationDates }),
  z.strictObject({ kind: z.literal('transfer'), id: Id, body: ParticipationTransfer }),
  z.strictObject({ kind: z.literal('remove'), id: Id }),
  z.strictObject({
    kind: z.literal('bulk'),
    body: z.strictObject({
      ids: z.array(Id).min(1).max(1000),
      change: z.enum(['entry', 'exit']),
      on: Day,
      noticeOn: Day.nullable(),
    }),
  }),
  z.strictObject({ kind: z.literal('many'), body: BulkActionDraft }),
  z.strictObject({ kind: z.literal('adopt'), id: Id, body: KeyAdoption }),
  z.strictObject({ kind: z.literal('key'), id: Id, body: KeyUpdate }),
  z.strictObject({ kind: z.literal('import'), id: Id, body: z.strictObject({ overwrite: z.boolean() }) }),
  z.strictObject({ kind: z.literal('operation'), id: Id, body: OperationUpdate }),
  z.strictObject({ kind: z.literal('status'), id: Id, body: OperationStatusChange }),
  /** A tariff that begins in months which were billed. */
  z.strictObject({ kind: z.literal('tariff'), id: Id, body: TariffAdoption }),
])
export type RetroactiveChange = z.infer<typeof RetroactiveChange>

/** The same of a file that is sent whole: members of an operation, or coefficients of a key. */
export const RetroactiveFileChange = z.object({
  kind: z.enum(['enrol', 'coefficients']),
  /** The operation, or the key. */
  id: Id,
  name: z.string().min(1).max(200),
})
export type RetroactiveFileChange = z.infer<typeof RetroactiveFileChange>

/** Who may make the change may see what it does. */
export const CHANGE_ENDPOINTS: Record<(RetroactiveChange | RetroactiveFileChange)['kind'], Endpoint> = {
  join: participations.create,
  dates: participations.update,
  transfer: participations.transfer,
  remove: participations.remove,
  bulk: participations.bulk,
  many: participants.bulk,
  adopt: keys.adopt,
  key: keys.update,
  import: curves.commit,
  operation: operations.update,
  status: operations.move,
  tariff: tariffs.adopt,
  enrol: participants.import,
  coefficients: keys.importCoefficients,
}

/** What somebody drew or injected over a month, the local part of it, and what of it is not known. */
export const ImpactSide = z.object({
  total: WattMinutes,
  local: WattMinutes,
  /** Steps for which nothing is known: they are in none of the sums. */
  missing: z.int(),
})
export type ImpactSide = z.infer<typeof ImpactSide>

/** Null on the side where they take no part in the month. */
export const MemberImpact = z.object({
  participantId: Id,
  name: z.string(),
  prm: z.string(),
  direction: Direction,
  /** One direction of a battery. */
  storage: z.boolean().optional(),
  before: ImpactSide.nullable(),
  after: ImpactSide.nullable(),
  /** Of a month that was invoiced: by how much what a buyer owes changes, tax included, all its meters on the first of them. */
  cents: Cents.optional(),
})
export type MemberImpact = z.infer<typeof MemberImpact>

const impactTotals = z.object({ produced: WattMinutes, allocated: WattMinutes, surplus: WattMinutes, missing: z.int() })

export const ImpactMonth = z.object({
  operationId: Id,
  operationName: z.string(),
  month: Day,
  /** The days that were computed. */
  days: z.int(),
  /** What stands: whether bills rest on it, and whether it was to be computed anew already. */
  definitive: z.boolean(),
  stale: z.boolean(),
  changed: z.boolean(),
  before: impactTotals,
  after: impactTotals,
  /** Those for whom something changes. */
  members: z.array(MemberImpact),
  /** Those for whom nothing does. */
  unchanged: z.int(),
  /** Of a month that was invoiced: by how much what all buyers owe changes, tax included; a regularisation will be proposed. */
  cents: Cents.optional(),
})
export type ImpactMonth = z.infer<typeof ImpactMonth>

export const Impact = z.object({
  /** Whether days are touched for which a run stands. Without any, the change is simply made. */
  retroactive: z.boolean(),
  /** What the change brings along to show that this was seen; it holds for as long as nothing changes. */
  shown: z.string().nullable(),
  summary: z.string(),
  months: z.array(ImpactMonth),
  /** Earlier months that are touched too, beyond those that are shown. */
  beyond: z.object({ from: Day, to: Day, months: z.int() }).nullable(),
  /** Definitive runs that will have to be computed anew. */
  outdated: z.array(z.object({ id: Id, operationId: Id, from: Day, to: Day })),
})
export type Impact = z.infer<typeof Impact>

export const effects = {
  /** Nothing is written: the change is tried, and taken back. */
  preview: defineEndpoint({
    method: 'POST',
    path: '/api/effects',
    access: { permission: 'operations.read' },
    summary: 'Voir ce qu’un changement rétroactif modifie',
    audit: 'none',
    timeout: 180,
    body: RetroactiveChange,
    response: Impact,
  }),
  previewFile: defineEndpoint({
    method: 'POST',
    path: '/api/effects/file',
    access: { permission: 'operations.read' },
    summary: 'Voir ce qu’un fichier modifie de mois déjà répartis',
    audit: 'none',
    timeout: 180,
    query: RetroactiveFileChange,
    upload: MAX_COEFFICIENT_BYTES,
    response: Impact,
  }),
}
