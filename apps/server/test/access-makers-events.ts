import { connections, flowRules, webhooks } from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'

/** Webhooks, rules and connections. */
export function eventMakers(SECRET: string): [RegExp, ParamsMaker][] {
  const webhook: ParamsMaker = async ({ db, deps }, { companyId }) => {
    const id = crypto.randomUUID()
    const secret = deps.secrets.seal(SECRET, `webhook ${companyId} ${id}`)
    await db.insert(webhooks).values({ companyId, id, url: 'https://crochet.invalid/', events: [], secret })
    return { id, deliveryId: id }
  }

  const connection: ParamsMaker = async ({ db, deps }, { companyId, id: makerId }) => {
    const id = crypto.randomUUID()
    const settings = deps.secrets.seal(JSON.stringify({ dataSets: 'operations' }), `connection ${companyId} ${id}`)
    await db
      .insert(connections)
      .values({ companyId, id, kind: 'feed', name: SECRET, settings, state: 'active', makerId })
    return { id, runId: id }
  }

  const flowRule: ParamsMaker = async ({ db }, { companyId, id: destinationId }) => {
    const about = { name: SECRET, event: 'operation.created', conditions: [], fields: [], createdBy: 'x' }
    const [row] = await db
      .insert(flowRules)
      .values({ companyId, destination: 'mail', destinationId, ...about })
      .returning()
    return { id: row?.id }
  }

  return [
    [/^\/api\/webhooks\/:id/, webhook],
    [/^\/api\/connections\/:id/, connection],
    [/^\/api\/flows\/rules\/:id/, flowRule],
  ]
}
