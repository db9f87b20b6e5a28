import { type Incident, incidents } from '@voisol/contract/incidents'
import type { FastifyInstance } from 'fastify'
import { oneClick } from '../../../http/one-click.ts'
import { type Context, route } from '../../../http/route.ts'
import { openIncident, planMaintenance, tellIncident } from './incidents.ts'
import { countConfirmed, decide, leaveAtOnce, subscribe } from './subscriptions.ts'
import { allIncidents } from './view.ts'

function told({ note }: Context, incident: Incident): Incident {
  note({ target: incident.title, detail: { id: incident.id, state: incident.state } })
  return incident
}

export function incidentRoutes(app: FastifyInstance) {
  route(app, incidents.list, async (_, { db }) => ({
    items: await allIncidents(db),
    subscribers: await countConfirmed(db),
  }))
  route(app, incidents.open, async ({ body }, ctx) => told(ctx, await openIncident(ctx.db, ctx.actor, body)))
  route(app, incidents.plan, async ({ body }, ctx) => told(ctx, await planMaintenance(ctx.db, ctx.actor, body)))
  route(app, incidents.tell, async ({ params, body }, ctx) =>
    told(ctx, await tellIncident(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, incidents.subscribe, ({ body }, ctx) => subscribe(ctx, body))
  route(app, incidents.decide, ({ body }, ctx) => decide(ctx, body))
  oneClick(app, {
    path: '/api/status/unsubscribe/:key',
    leave: (tx, key) => leaveAtOnce({ ...app.deps, db: tx }, key),
    said: 'Désabonnement enregistré.',
    leadsTo: (key) => `/status?cle=${encodeURIComponent(key)}#abonnement`,
  })
}
