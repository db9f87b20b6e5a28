import { z } from 'zod'
import { EVENT_NAMES, EVENTS, type EventName } from './events.ts'
import { Id, Instant, Text, Version } from './primitives.ts'

/** The events a rule may listen to: all that are still recorded. */
export const ROUTED_EVENTS = EVENT_NAMES.filter((name) => !EVENTS[name].retired)
const RoutedEvent = z.enum(ROUTED_EVENTS as [EventName, ...EventName[]]) // there are some

/**
 * The kinds of destinations; adding one takes a row here and one in the server's table. With `connection` the event is
 * sent as a file; `job` runs a connection with all that it sends.
 */
export const DestinationKind = z.enum(['webhook', 'mail', 'notification', 'connection', 'job'])
export type DestinationKind = z.infer<typeof DestinationKind>
export const Comparison = z.enum(['equals', 'contains', 'greater', 'among'])
export type Comparison = z.infer<typeof Comparison>

export const Condition = z.strictObject({
  /** Path of the field in the event, for instance `gross` or `days.from`. */
  field: z.string().min(1, 'Choisissez un champ.').max(80),
  is: Comparison,
  /** One value, or several for `among`. */
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

/** The fields of a rule; it is tested before it is saved. */
const ruleFields = {
  event: RoutedEvent,
  /** All of them must be true. */
  conditions: z.array(Condition).max(10, 'Dix conditions au plus.'),
  /** The fields to send, possibly renamed; all of them where none is listed. */
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
  /** The present name of the destination; empty where it no longer exists. */
  destinationLabel: z.string(),
  createdAt: Instant,
  createdBy: z.string(),
  version: z.int(),
  /** In the last thirty days. */
  sent: z.int(),
  failed: z.int(),
})
export type FlowRule = z.infer<typeof FlowRule>

export const EventField = z.object({
  path: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'list']),
  /** Lists of records are sent whole and cannot be compared. */
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
  /** The first condition that is false, in French; empty where all are true. */
  why: z.string(),
  data: z.record(z.string(), z.unknown()),
  payload: z.record(z.string(), z.unknown()).nullable(),
})
export type RuleTestEvent = z.infer<typeof RuleTestEvent>
