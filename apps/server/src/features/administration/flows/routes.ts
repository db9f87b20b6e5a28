import { EVENTS } from '@voisol/contract/events'
import { type FlowRule, ROUTED_EVENTS } from '@voisol/contract/flow-rules'
import { flows } from '@voisol/contract/flows'
import type { FastifyInstance } from 'fastify'
import type { Subscriber } from '../../../core/subscriber.ts'
import { route } from '../../../http/route.ts'
import { listDead } from './dead-letters.ts'
import { destinationsOf } from './destinations.ts'
import { fieldsOf } from './fields.ts'
import { readFlows } from './overview.ts'
import { addRule, changeRule, listRules, removeRule } from './rules.ts'
import { discardDead, replayDead } from './settle-dead.ts'
import { tryRule } from './trial.ts'

const kinds = () =>
  ROUTED_EVENTS.map((name) => ({
    name,
    label: EVENTS[name].label,
    fields: fieldsOf(name),
    sample: EVENTS[name].sample as Record<string, unknown>, // every event is a record
  }))

const facts = ({ name, event, conditions, fields, destination, active }: FlowRule) => ({
  name,
  event,
  conditions,
  fields,
  destination,
  active,
})

/** `subscribers` is the table of who hears of what happened. */
export function flowRoutes(app: FastifyInstance, subscribers: readonly Subscriber[]) {
  route(app, flows.overview, ({ query }, { db, actor }) => readFlows(db, actor, query.span, subscribers))
  route(app, flows.kinds, async (_, { db, actor }) => ({
    events: kinds(),
    destinations: await destinationsOf(db, actor.companyId),
  }))
  ruleRoutes(app)
  deadRoutes(app)
}

function ruleRoutes(app: FastifyInstance) {
  route(app, flows.rules, ({ query }, { db, actor }) => listRules(db, actor, query))
  route(app, flows.addRule, async ({ body }, { db, actor, note }) => {
    const after = await addRule(db, actor, body)
    note({ target: after.name, detail: { after: facts(after) } })
    return after
  })
  route(app, flows.changeRule, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await changeRule(db, actor, params.id, body)
    note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })
  route(app, flows.removeRule, async ({ params }, { db, actor, note }) => {
    const before = await removeRule(db, actor, params.id)
    note({ target: before.name, detail: { before: facts(before) } })
    return { success: true as const }
  })
  route(app, flows.tryRule, async ({ body }, { db, actor, note }) => {
    const tried = await tryRule(db, actor, body)
    note({ target: `essai\u00a0: ${body.event}`, detail: { looked: tried.looked, matched: tried.matched } })
    return tried
  })
}

/** The journal names what was settled, as much of it as is read. */
const named = (items: { kind: string; id: string }[]) => items.slice(0, 50).map(({ kind, id }) => `${kind} ${id}`)

function deadRoutes(app: FastifyInstance) {
  route(app, flows.dead, ({ query }, { db, actor, secrets }) => listDead(db, secrets, actor, query))
  route(app, flows.replay, async ({ body }, ctx) => {
    const count = await replayDead(ctx.db, ctx, ctx.actor, body.items)
    ctx.note({ target: 'envois rejoués', detail: { count, items: named(body.items) } })
    return { count }
  })
  route(app, flows.discard, async ({ body }, { db, actor, note }) => {
    const count = await discardDead(db, actor, body.items)
    note({ target: 'envois écartés', detail: { count, items: named(body.items) } })
    return { count }
  })
}
