import { z } from 'zod'
import { EVENT_NAMES, EVENTS, type EventName } from './events.ts'
import { Id, Instant, Text, Version } from './primitives.ts'

/** What a rule may listen to: every event that is told today. */
export const ROUTED_EVENTS = EVENT_NAMES.filter((name) => !EVENTS[name].retired)
export const RoutedEvent = z.enum(ROUTED_EVENTS as [EventName, ...EventName[]]) // there are some

/**
 * The kinds of destinations; another one is a row here and one in the server's table of them. By a connection the event
 * leaves as a file; a job is the run of a connection, with all that it sends.
 */
export const DestinationKind = z.enum(['webhook', 'mail', 'notification', 'connection', 'job'])
export type DestinationKind = z.infer<typeof DestinationKind>
export const Comparison = z.enum(['equals', 'contains', 'greater', 'among'])
export type Comparison = z.infer<typeof Comparison>

export const Condition = z.strictObject({
  /** Where the field stands in the event, for instance `gross` or `days.from`. */
  field: z.string().min(1, 'Choisissez un champ.').max(80),
  is: Comparison,
  /** One value, several for `among`. */
  values: z
    .array(z.string().trim().min(1, 'Donnez une valeur.').max(200))
    .min(1, 'Donnez une valeur.')
    .max(20, 'Vingt valeurs au plus.'),
})
export type Condition = z.infer<typeof Condition>

export const PickedField = z.strictObject({
  from: z.string().min(1).max(80),
  to: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_]{0,39}$/,
      'Nom attendu\u00a0: une lettre, puis des lettres, des chiffres ou «\u00a0_\u00a0».',
    ),
})
export type PickedField = z.infer<typeof PickedField>

/** What a rule makes of events; tried before it is saved. */
const ruleFields = {
  event: RoutedEvent,
  /** All of them hold. */
  conditions: z.array(Condition).max(10, 'Dix conditions au plus.'),
  /** Those that are sent, renamed; all of them where none is named. */
  fields: z.array(PickedField).max(30, 'Trente champs au plus.'),
}
export const RuleDefinition = z.strictObject(ruleFields)
export const RuleDraft = z.strictObject({
  name: Text,
  ...ruleFields,
  destination: z.strictObject({ kind: DestinationKind, id: Id }),
  active: z.boolean(),
})
export const RuleChange = RuleDraft.extend({ version: Version })
export const FlowRule = z.object({
  ...RuleDraft.shape,
  id: Id,
  /** What the destination is called today; empty where it is gone. */
  destinationLabel: z.string(),
  createdAt: Instant,
  createdBy: z.string(),
  version: z.int(),
  /** Over the last thirty days. */
  sent: z.int(),
  failed: z.int(),
})
export type FlowRule = z.infer<typeof FlowRule>

export const EventField = z.object({
  path: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'list']),
  /** Lists of records are sent whole and not compared. */
  compared: z.boolean(),
})
export type EventField = z.infer<typeof EventField>
export const RoutedKind = z.object({
  name: RoutedEvent,
  label: z.string(),
  fields: z.array(EventField),
  sample: z.record(z.string(), z.unknown()),
})
export const Destination = z.object({ kind: DestinationKind, id: Id, label: z.string() })

export const RuleTestEvent = z.object({
  seq: z.int(),
  occurredAt: Instant,
  matches: z.boolean(),
  /** The first condition that does not hold, in words; empty where all do. */
  why: z.string(),
  data: z.record(z.string(), z.unknown()),
  payload: z.record(z.string(), z.unknown()).nullable(),
})
export type RuleTestEvent = z.infer<typeof RuleTestEvent>
