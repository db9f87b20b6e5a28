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

/** A change that may affect days already computed, in the format of the call that makes it. */
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
  /** A tariff that begins in months already billed. */
  z.strictObject({ kind: z.literal('tariff'), id: Id, body: TariffAdoption }),
])
export type RetroactiveChange = z.infer<typeof RetroactiveChange>

/** The same for a whole file: members of an operation, or coefficients of a key. */
export const RetroactiveFileChange = z.object({
  kind: z.enum(['enrol', 'coefficients']),
  /** The operation, or the key. */
  id: Id,
  name: z.string().min(1).max(200),
})
export type RetroactiveFileChange = z.infer<typeof RetroactiveFileChange>

/** Whoever may make the change may preview it. */
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

/** Energy consumed or injected by a member over a month, its local part, and how much is unknown. */
export const ImpactSide = z.object({
  total: WattMinutes,
  local: WattMinutes,
  /** Unknown steps, not included in any sum. */
  missing: z.int(),
})
export type ImpactSide = z.infer<typeof ImpactSide>

/** Null before or after if the member takes no part in the month then. */
export const MemberImpact = z.object({
  participantId: Id,
  name: z.string(),
  prm: z.string(),
  direction: Direction,
  /** Whether it is one direction of a battery (charge or release). */
  storage: z.boolean().optional(),
  before: ImpactSide.nullable(),
  after: ImpactSide.nullable(),
  /**
   * For an invoiced month: the change of what a buyer owes, tax included, for all its meters, shown on the first of
   * them.
   */
  cents: Cents.optional(),
})
export type MemberImpact = z.infer<typeof MemberImpact>

const impactTotals = z.object({ produced: WattMinutes, allocated: WattMinutes, surplus: WattMinutes, missing: z.int() })

export const ImpactMonth = z.object({
  operationId: Id,
  operationName: z.string(),
  month: Day,
  /** The days that were computed again. */
  days: z.int(),
  /** The current run: whether bills are based on it, and whether it was outdated already. */
  definitive: z.boolean(),
  stale: z.boolean(),
  changed: z.boolean(),
  before: impactTotals,
  after: impactTotals,
  /** Members with a change. */
  members: z.array(MemberImpact),
  /** Number of members without a change. */
  unchanged: z.int(),
  /** For an invoiced month: the total change of what buyers owe, tax included; a correction will be proposed. */
  cents: Cents.optional(),
})
export type ImpactMonth = z.infer<typeof ImpactMonth>

export const Impact = z.object({
  /** Whether days with a run are affected. If not, the change is made directly. */
  retroactive: z.boolean(),
  /** Token to send with the change, as proof that the preview was shown; valid until the data change. */
  shown: z.string().nullable(),
  summary: z.string(),
  months: z.array(ImpactMonth),
  /** Earlier months that are affected too, not detailed here. */
  beyond: z.object({ from: Day, to: Day, months: z.int() }).nullable(),
  /** Definitive runs that will be outdated. */
  outdated: z.array(z.object({ id: Id, operationId: Id, from: Day, to: Day })),
})
export type Impact = z.infer<typeof Impact>

export const effects = {
  /** Nothing is written: the change is made in a transaction that is rolled back. */
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
