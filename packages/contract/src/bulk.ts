import { z } from 'zod'
import { ConsentPurpose } from './consents.ts'
import { ParticipantKind, ParticipantRole, ParticipantState } from './participant-kinds.ts'
import { Day, Id, IMPACT_PREVIEW_FIELDS, Tag, Text } from './primitives.ts'

/** Up to this number the answer is the result; beyond, a job runs and the result is fetched later. */
export const MAX_IMMEDIATE_BULK_ROWS = 200
export const MAX_BULK_SELECTION = 5000

/** The filters of the list without its pages: everything that matches. */
const BulkFilter = z.strictObject({
  q: z.string().trim().max(200).optional(),
  operationId: Id.optional(),
  role: ParticipantRole.optional(),
  kind: ParticipantKind.optional(),
  state: ParticipantState.optional(),
  portal: z.enum(['none', 'invited', 'active', 'disabled']).optional(),
  review: z.boolean().optional(),
  tag: Tag.optional(),
})

const dates = { on: Day, noticeOn: Day.nullable() }
export const BulkAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('invite') }),
  /** Writes to participants whose collection consent is missing or about to end. */
  z.strictObject({ kind: z.literal('ask') }),
  z.strictObject({ kind: z.literal('agreement'), signedOn: Day }),
  /** Recorded from paper. */
  z.strictObject({
    kind: z.literal('consent'),
    purpose: ConsentPurpose,
    textVersion: Text,
    givenOn: Day,
    expiresOn: Day,
  }),
  z.strictObject({ kind: z.literal('entry'), ...dates }),
  z.strictObject({ kind: z.literal('exit'), ...dates }),
  z.strictObject({ kind: z.literal('tags'), add: z.array(Tag).max(10), remove: z.array(Tag).max(10) }),
])
export type BulkAction = z.infer<typeof BulkAction>

/** The action, and the selected participants. */
export const BulkActionDraft = z.strictObject({
  selection: z.union([
    z.strictObject({ ids: z.array(Id).min(1).max(MAX_BULK_SELECTION) }),
    z.strictObject({ filter: BulkFilter }),
  ]),
  /** Only consents for this operation; without it, for all operations of the participants. */
  operationId: Id.optional(),
  action: BulkAction,
})

export const RunBulkActionInput = BulkActionDraft.extend({
  dryRun: z.boolean(),
  /** The seal returned by the dry run: the action applies only to the participants shown there. */
  seal: z.string().max(100).optional(),
  ...IMPACT_PREVIEW_FIELDS,
})

export const BulkLine = z.object({
  id: Id,
  label: z.string(),
  outcome: z.enum(['done', 'unchanged', 'refused']),
  message: z.string(),
})
export type BulkLine = z.infer<typeof BulkLine>

export const BulkRun = z.object({
  id: Id,
  status: z.enum(['running', 'done', 'failed']),
  dryRun: z.boolean(),
  /** Number of participants selected. */
  total: z.int(),
  done: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** Refusals come first; a very long list is truncated. */
  lines: z.array(BulkLine),
  seal: z.string(),
  message: z.string(),
})
export type BulkRun = z.infer<typeof BulkRun>
