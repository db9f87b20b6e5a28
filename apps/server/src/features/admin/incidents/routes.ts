import { type Incident, incidents } from '@voisol/contract/incidents'
import type { FastifyInstance } from 'fastify'
import { registerOneClickRoute } from '../../../http/one-click.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { listAllIncidents } from './incident-queries.ts'
import { openIncident, planMaintenance, updateIncident } from './incidents.ts'
import {
  countConfirmedSubscribers,
  decideStatusSubscription,
  subscribeToStatus,
  unsubscribeFromStatus,
} from './status-subscribers.ts'

function noteIncident({ note }: RouteContext, incident: Incident): Incident {
  note({ target: incident.title, detail: { id: incident.id, state: incident.state } })
  return incident
}

export function incidentRoutes(app: FastifyInstance) {
  addRoute(app, incidents.list, async (_, { db }) => ({
    items: await listAllIncidents(db),
    subscribers: await countConfirmedSubscribers(db),
  }))
  addRoute(app, incidents.open, async ({ body }, ctx) => noteIncident(ctx, await openIncident(ctx.db, ctx.actor, body)))
  addRoute(app, incidents.plan, async ({ body }, ctx) =>
    noteIncident(ctx, await planMaintenance(ctx.db, ctx.actor, body)),
  )
  addRoute(app, incidents.tell, async ({ params, body }, ctx) =>
    noteIncident(ctx, await updateIncident(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, incidents.subscribe, ({ body }, ctx) => subscribeToStatus(ctx, body))
  addRoute(app, incidents.decide, ({ body }, ctx) => decideStatusSubscription(ctx, body))
  registerOneClickRoute(app, {
    path: '/api/status/unsubscribe/:key',
    leave: (tx, key) => unsubscribeFromStatus({ ...app.deps, db: tx }, key),
    said: 'Désabonnement enregistré.',
    leadsTo: (key) => `/status?cle=${encodeURIComponent(key)}#abonnement`,
  })
}
