import { z } from 'zod'
import { ConsentPurpose } from './consents.ts'
import { ParticipantKind, ParticipantRole, ParticipantState } from './participant-kinds.ts'
import { Day, Id, IMPACT_PREVIEW_FIELDS, Tag, Text } from './primitives.ts'

/** Up to here the answer is the result; beyond, it is made later and asked for again. */
export const MAX_IMMEDIATE_BULK_ROWS = 200
export const MAX_BULK_SELECTION = 5000

/** The filters of the list, without its pages: all those who match. */
export const BulkFilter = z.strictObject({
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
  /** Writes to those whose consent to the collection is missing or about to end. */
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

/** What is wanted, for whom. */
export const BulkActionDraft = z.strictObject({
  selection: z.union([
    z.strictObject({ ids: z.array(Id).min(1).max(MAX_BULK_SELECTION) }),
    z.strictObject({ filter: BulkFilter }),
  ]),
  /** Only what concerns this operation; without it, every operation they take part in. */
  operationId: Id.optional(),
  action: BulkAction,
})

export const RunBulkActionInput = BulkActionDraft.extend({
  dryRun: z.boolean(),
  /** That of the dry run: what is done is done for those who were seen there, and for nobody else. */
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
  /** How many were chosen. */
  total: z.int(),
  done: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** What is refused comes first; a very long list is cut. */
  lines: z.array(BulkLine),
  seal: z.string(),
  message: z.string(),
})
export type BulkRun = z.infer<typeof BulkRun>
