import { EVENTS } from '@voisol/contract/events'
import { type FlowRule, ROUTED_EVENTS } from '@voisol/contract/flow-rules'
import { flows } from '@voisol/contract/flows'
import type { FastifyInstance } from 'fastify'
import type { Subscriber } from '../../../events/subscriber.ts'
import { addRoute } from '../../../http/route.ts'
import { discardDeadLetters, listDeadLetters, replayDeadLetters } from './dead-letters.ts'
import { listDestinations } from './destinations.ts'
import { loadFlowOverview } from './flow-overview.ts'
import { addFlowRule, changeFlowRule, listFlowRules, removeFlowRule, testRule } from './flow-rules.ts'
import { getEventFields } from './rule-conditions.ts'

const listRoutedEvents = () =>
  ROUTED_EVENTS.map((name) => ({
    name,
    label: EVENTS[name].label,
    fields: getEventFields(name),
    sample: EVENTS[name].sample as Record<string, unknown>, // every event is a record
  }))

const toAuditedRule = ({ name, event, conditions, fields, destination, active }: FlowRule) => ({
  name,
  event,
  conditions,
  fields,
  destination,
  active,
})

/** `subscribers` is the registry of event subscribers. */
export function flowRoutes(app: FastifyInstance, subscribers: readonly Subscriber[]) {
  addRoute(app, flows.overview, ({ query }, { db, actor }) => loadFlowOverview(db, actor, query.span, subscribers))
  addRoute(app, flows.kinds, async (_, { db, actor }) => ({
    events: listRoutedEvents(),
    destinations: await listDestinations(db, actor.companyId),
  }))
  ruleRoutes(app)
  deadLetterRoutes(app)
}

function ruleRoutes(app: FastifyInstance) {
  addRoute(app, flows.rules, ({ query }, { db, actor }) => listFlowRules(db, actor, query))
  addRoute(app, flows.addRule, async ({ body }, { db, actor, note }) => {
    const after = await addFlowRule(db, actor, body)
    note({ target: after.name, detail: { after: toAuditedRule(after) } })
    return after
  })
  addRoute(app, flows.changeRule, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await changeFlowRule(db, actor, params.id, body)
    note({ target: after.name, detail: { before: toAuditedRule(before), after: toAuditedRule(after) } })
    return after
  })
  addRoute(app, flows.removeRule, async ({ params }, { db, actor, note }) => {
    const before = await removeFlowRule(db, actor, params.id)
    note({ target: before.name, detail: { before: toAuditedRule(before) } })
    return { success: true as const }
  })
  addRoute(app, flows.tryRule, async ({ body }, { db, actor, note }) => {
    const tried = await testRule(db, actor, body)
    note({ target: `essai\u00a0: ${body.event}`, detail: { looked: tried.looked, matched: tried.matched } })
    return tried
  })
}

/** The audit log names the first 50 settled items. */
const formatItems = (items: { kind: string; id: string }[]) => items.slice(0, 50).map(({ kind, id }) => `${kind} ${id}`)

function deadLetterRoutes(app: FastifyInstance) {
  addRoute(app, flows.dead, ({ query }, { db, actor, secrets }) => listDeadLetters(db, secrets, actor, query))
  addRoute(app, flows.replay, async ({ body }, ctx) => {
    const count = await replayDeadLetters(ctx.db, ctx, ctx.actor, body.items)
    ctx.note({ target: 'envois rejoués', detail: { count, items: formatItems(body.items) } })
    return { count }
  })
  addRoute(app, flows.discard, async ({ body }, { db, actor, note }) => {
    const count = await discardDeadLetters(db, actor, body.items)
    note({ target: 'envois écartés', detail: { count, items: formatItems(body.items) } })
    return { count }
  })
}
