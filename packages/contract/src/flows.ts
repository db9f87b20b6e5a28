import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Destination, FlowRule, RoutedKind, RuleChange, RuleDraft, RuleShape, TriedEvent } from './flow-rules.ts'
import { ListQuery, page } from './list.ts'
import { Done, Id, Instant } from './primitives.ts'

export const FlowSpan = z.enum(['hour', 'day', 'month'])
export type FlowSpan = z.infer<typeof FlowSpan>

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
  /** Now, whatever the span. */
  waiting: z.int(),
  failed: z.int(),
  /** Nineteen in twenty came within this time after they happened; null where none came. */
  p95Ms: z.int().nullable(),
  /** Since when it cannot take its next event; null where it goes on. */
  failingSince: Instant.nullable(),
})
export type FlowSubscriber = z.infer<typeof FlowSubscriber>
export const FlowLink = z.object({ event: z.string(), subscriber: z.string(), delivered: z.int() })
export type FlowLink = z.infer<typeof FlowLink>
export const FlowOverview = z.object({
  span: FlowSpan,
  /** From when figures are counted: whole hours. */
  since: Instant,
  events: z.array(FlowEvent),
  subscribers: z.array(FlowSubscriber),
  links: z.array(FlowLink),
  /** Who listens to what, whether or not it happened. */
  heard: z.array(z.object({ event: z.string(), subscriber: z.string() })),
})
export type FlowOverview = z.infer<typeof FlowOverview>

export const DeadKind = z.enum(['webhook', 'rule', 'mail', 'job'])
export type DeadKind = z.infer<typeof DeadKind>
export const DeadLetter = z.object({
  kind: DeadKind,
  id: Id,
  /** What was to be done: an event, a message, a job. */
  what: z.string(),
  /** Where it was going. */
  to: z.string(),
  cause: z.string(),
  at: Instant,
  attempts: z.int(),
  /** Without what must stay hidden. */
  payload: z.string(),
})
export type DeadLetter = z.infer<typeof DeadLetter>
const Chosen = z.strictObject({
  items: z
    .array(z.strictObject({ kind: DeadKind, id: Id }))
    .min(1, 'Choisissez au moins un envoi.')
    .max(500),
})
export const DeadQuery = ListQuery.extend({ kind: DeadKind.optional() })

const one = z.object({ id: Id })
const read = { permission: 'flows.read' } as const
const write = { permission: 'flows.write' } as const
const counted = z.object({ count: z.int() })

export const flows = {
  overview: endpoint({
    method: 'GET',
    path: '/api/flows',
    access: read,
    summary: 'Lire les flux d’événements',
    query: z.object({ span: FlowSpan.default('day') }),
    response: FlowOverview,
  }),
  kinds: endpoint({
    method: 'GET',
    path: '/api/flows/kinds',
    access: read,
    summary: 'Lire les événements et les destinations d’une règle',
    response: z.object({ events: z.array(RoutedKind), destinations: z.array(Destination) }),
  }),
  rules: endpoint({
    method: 'GET',
    path: '/api/flows/rules',
    access: read,
    summary: 'Lister les règles de routage',
    query: ListQuery,
    response: page(FlowRule),
  }),
  addRule: endpoint({
    method: 'POST',
    path: '/api/flows/rules',
    access: write,
    summary: 'Créer une règle de routage',
    body: RuleDraft,
    response: FlowRule,
  }),
  changeRule: endpoint({
    method: 'PATCH',
    path: '/api/flows/rules/:id',
    access: write,
    summary: 'Modifier une règle de routage',
    params: one,
    body: RuleChange,
    response: FlowRule,
  }),
  removeRule: endpoint({
    method: 'DELETE',
    path: '/api/flows/rules/:id',
    access: write,
    summary: 'Supprimer une règle de routage',
    params: one,
    response: Done,
  }),
  tryRule: endpoint({
    method: 'POST',
    path: '/api/flows/rules/try',
    access: write,
    summary: 'Essayer une règle sur des événements passés',
    body: RuleShape.extend({ last: z.int().min(1).max(200) }),
    response: z.object({ looked: z.int(), matched: z.int(), items: z.array(TriedEvent) }),
  }),
  dead: endpoint({
    method: 'GET',
    path: '/api/flows/dead-letters',
    access: read,
    summary: 'Lister ce qui n’est pas parti',
    query: DeadQuery,
    response: page(DeadLetter),
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/flows/dead-letters/replay',
    access: write,
    summary: 'Rejouer ce qui n’est pas parti',
    body: Chosen,
    response: counted,
  }),
  discard: endpoint({
    method: 'POST',
    path: '/api/flows/dead-letters/discard',
    access: write,
    summary: 'Écarter ce qui n’est pas parti',
    body: Chosen,
    response: counted,
  }),
}
