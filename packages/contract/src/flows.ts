import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  Destination,
  FlowRule,
  RoutedKind,
  RuleChange,
  RuleDefinition,
  RuleDraft,
  RuleTestEvent,
} from './flow-rules.ts'
import { buildPageSchema, Id, Instant, ListQuery, SuccessReply } from './primitives.ts'

export const FlowPeriod = z.enum(['hour', 'day', 'month'])
export type FlowPeriod = z.infer<typeof FlowPeriod>

export const SubscriberKind = z.enum(['notification', 'mail', 'webhook', 'rule', 'job'])
export type SubscriberKind = z.infer<typeof SubscriberKind>

export const FlowEvent = z.object({
  name: z.string(),
  label: z.string(),
  emitted: z.int(),
  lastAt: Instant.nullable(),
})
export type FlowEvent = z.infer<typeof FlowEvent>
export const FlowSubscriber = z.object({
  id: z.string(),
  kind: SubscriberKind,
  label: z.string(),
  delivered: z.int(),
  /** Current value, whatever the period. */
  waiting: z.int(),
  failed: z.int(),
  /** 95th percentile of the delay between the event and its handling; null where there was none. */
  p95Ms: z.int().nullable(),
  /** Since when its next event fails; null when it works. */
  failingSince: Instant.nullable(),
})
export type FlowSubscriber = z.infer<typeof FlowSubscriber>
export const FlowLink = z.object({ event: z.string(), subscriber: z.string(), delivered: z.int() })
export type FlowLink = z.infer<typeof FlowLink>
export const FlowOverview = z.object({
  span: FlowPeriod,
  /** Start of the counted period: whole hours. */
  since: Instant,
  events: z.array(FlowEvent),
  subscribers: z.array(FlowSubscriber),
  links: z.array(FlowLink),
  /** Which subscriber listens to which event, whether or not one occurred. */
  heard: z.array(z.object({ event: z.string(), subscriber: z.string() })),
})
export type FlowOverview = z.infer<typeof FlowOverview>

export const DeadLetterKind = z.enum(['webhook', 'rule', 'mail', 'job'])
export type DeadLetterKind = z.infer<typeof DeadLetterKind>
export const DeadLetter = z.object({
  kind: DeadLetterKind,
  id: Id,
  /** What was to be done: an event, a message, a job. */
  what: z.string(),
  /** The destination. */
  to: z.string(),
  cause: z.string(),
  at: Instant,
  attempts: z.int(),
  /** Without secret content. */
  payload: z.string(),
})
export type DeadLetter = z.infer<typeof DeadLetter>
const DeadLetterSelection = z.strictObject({
  items: z
    .array(z.strictObject({ kind: DeadLetterKind, id: Id }))
    .min(1, 'Choisissez au moins un envoi.')
    .max(500),
})
export const DeadLetterQuery = ListQuery.extend({ kind: DeadLetterKind.optional() })

const idParams = z.object({ id: Id })
const readAccess = { permission: 'flows.read' } as const
const writeAccess = { permission: 'flows.write' } as const
const countReply = z.object({ count: z.int() })

export const flows = {
  overview: defineEndpoint({
    method: 'GET',
    path: '/api/flows',
    access: readAccess,
    summary: 'Lire les flux d’événements',
    query: z.object({ span: FlowPeriod.default('day') }),
    response: FlowOverview,
  }),
  kinds: defineEndpoint({
    method: 'GET',
    path: '/api/flows/kinds',
    access: readAccess,
    summary: 'Lire les événements et les destinations d’une règle',
    response: z.object({ events: z.array(RoutedKind), destinations: z.array(Destination) }),
  }),
  rules: defineEndpoint({
    method: 'GET',
    path: '/api/flows/rules',
    access: readAccess,
    summary: 'Lister les règles de routage',
    query: ListQuery,
    response: buildPageSchema(FlowRule),
  }),
  addRule: defineEndpoint({
    method: 'POST',
    path: '/api/flows/rules',
    access: writeAccess,
    summary: 'Créer une règle de routage',
    body: RuleDraft,
    response: FlowRule,
  }),
  changeRule: defineEndpoint({
    method: 'PATCH',
    path: '/api/flows/rules/:id',
    access: writeAccess,
    summary: 'Modifier une règle de routage',
    params: idParams,
    body: RuleChange,
    response: FlowRule,
  }),
  removeRule: defineEndpoint({
    method: 'DELETE',
    path: '/api/flows/rules/:id',
    access: writeAccess,
    summary: 'Supprimer une règle de routage',
    params: idParams,
    response: SuccessReply,
  }),
  tryRule: defineEndpoint({
    method: 'POST',
    path: '/api/flows/rules/try',
    access: writeAccess,
    summary: 'Essayer une règle sur des événements passés',
    body: RuleDefinition.extend({ last: z.int().min(1).max(200) }),
    response: z.object({ looked: z.int(), matched: z.int(), items: z.array(RuleTestEvent) }),
  }),
  dead: defineEndpoint({
    method: 'GET',
    path: '/api/flows/dead-letters',
    access: readAccess,
    summary: 'Lister ce qui n’est pas parti',
    query: DeadLetterQuery,
    response: buildPageSchema(DeadLetter),
  }),
  replay: defineEndpoint({
    method: 'POST',
    path: '/api/flows/dead-letters/replay',
    access: writeAccess,
    summary: 'Rejouer ce qui n’est pas parti',
    body: DeadLetterSelection,
    response: countReply,
  }),
  discard: defineEndpoint({
    method: 'POST',
    path: '/api/flows/dead-letters/discard',
    access: writeAccess,
    summary: 'Écarter ce qui n’est pas parti',
    body: DeadLetterSelection,
    response: countReply,
  }),
}
