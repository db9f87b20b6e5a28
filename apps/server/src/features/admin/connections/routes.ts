import { Readable } from 'node:stream'
import { type Connection, connections } from '@voisol/contract/connections'
import type { DataSet } from '@voisol/contract/data-sets'
import { type FeedFormat, feed } from '@voisol/contract/feed'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { CONNECTORS } from '../../../integrations/connections/connectors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { notify } from '../../identity/notifications/index.ts'
import { buildFeedDictionary, FEED_TYPES, streamDataSetFile } from '../exports/index.ts'
import {
  listConnectionRuns,
  listConnections,
  loadConnection,
  loadConnectionRun,
  loadSingleConnectionView,
} from './connection-queries.ts'
import {
  type ConnectionRow,
  decryptSettings,
  parseSettings,
  requireConnector,
  toConnectorTools,
} from './connection-settings.ts'
import {
  acceptHostKey,
  createConnection,
  getHostKeyAfterChange,
  lockConnection,
  removeConnection,
  setConnectionState,
  testConnection,
  updateConnection,
} from './connections.ts'
import { getConnectionRunOptions } from './jobs.ts'
import { getNextMonth } from './ship-books.ts'
import { listAllowedShipments } from './shipments.ts'

const SUCCESS = { success: true as const }
/** The fields that the audit log keeps: no secret and no address that only some users may see. */
const toAuditedConnection = ({ kind, name, state, schedule, shipments, hostKey }: ConnectionRow | Connection) => ({
  kind,
  name,
  state,
  schedule,
  shipments,
  hostKey,
})
const NOT_ACTIVE = 'Cette connexion est en pause ou arrêtée\u00a0: reprenez-la d’abord.'

export function connectionRoutes(app: FastifyInstance) {
  const { deps } = app
  feedRoutes(app)
  addRoute(app, connections.kinds, async (_, { actor }) => ({
    kinds: CONNECTORS.map(({ kind, label, about, can, fields }) => ({ kind, label, about, can, fields })),
    shipments: listAllowedShipments(actor).map(({ id, label, about }) => ({ id, label, about })),
  }))
  addRoute(app, connections.list, ({ query }, { db, actor }) => listConnections(db, deps, actor, query))
  addRoute(app, connections.runs, ({ params, query }, { db, actor }) => listConnectionRuns(db, actor, params.id, query))
  addRoute(app, connections.run, ({ params }, { db, actor }) => loadConnectionRun(db, actor, params.id, params.runId))

  addRoute(app, connections.check, async ({ body }, { db, actor, note }) => {
    const connector = requireConnector(body.kind)
    const row = body.id ? await loadConnection(db, actor, body.id) : undefined
    if (row && row.kind !== body.kind) throw new AppError('not-found')
    const storedSettings = row && decryptSettings(deps, row)
    const settings = parseSettings(toConnectorTools(deps), connector, body.settings, storedSettings)
    const hostKey = row && storedSettings ? getHostKeyAfterChange(row, connector, storedSettings, settings) : ''
    const tested = await testConnection(deps, connector, { settings, hostKey }, actor.email)
    note({ target: row?.name ?? connector.label, detail: { kind: body.kind, ok: tested.ok, message: tested.message } })
    return tested
  })

  addRoute(app, connections.create, async ({ body }, { db, actor, note }) => {
    const { row, token } = await createConnection(db, deps, actor, body)
    await notifyMailServerChange(db, deps, actor, row)
    note({ target: row.name, detail: { connectionId: row.id, after: toAuditedConnection(row) } })
    return { ...(await loadSingleConnectionView(db, deps, row)), token }
  })

  addRoute(app, connections.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateConnection(db, deps, actor, params.id, body)
    await notifyMailServerChange(db, deps, actor, after)
    note({
      target: after.name,
      detail: { connectionId: after.id, before: toAuditedConnection(before), after: toAuditedConnection(after) },
    })
    return loadSingleConnectionView(db, deps, after)
  })

  addRoute(app, connections.move, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await setConnectionState(db, deps, actor, params.id, body.state)
    if (after.state === 'active') await notifyMailServerChange(db, deps, actor, after)
    note({
      target: after.name,
      detail: { connectionId: after.id, before: toAuditedConnection(before), after: toAuditedConnection(after) },
    })
    return loadSingleConnectionView(db, deps, after)
  })

  addRoute(app, connections.acceptKey, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await acceptHostKey(db, deps, actor, params.id, body.fingerprint)
    note({
      target: after.name,
      detail: { connectionId: after.id, before: toAuditedConnection(before), after: toAuditedConnection(after) },
    })
    return loadSingleConnectionView(db, deps, after)
  })

  addRoute(app, connections.start, async ({ params: { id } }, { db, actor, note }) => {
    const row = await lockConnection(db, actor, id)
    note({ target: row.name, detail: { connectionId: id } })
    if (row.state !== 'active') throw new AppError('conflict', { message: NOT_ACTIVE })
    const asked = { companyId: row.companyId, id, askedBy: formatActorName(actor) }
    if (!(await enqueue(db, 'connections.run', asked, getConnectionRunOptions(row.companyId, id))))
      throw new AppError('in-progress', { message: 'Un passage est déjà en cours\u00a0: attendez qu’il s’achève.' })
    return SUCCESS
  })

  addRoute(app, connections.remove, async ({ params }, { db, actor, note }) => {
    const row = await removeConnection(db, actor, params.id)
    note({ target: row.name, detail: { connectionId: row.id, before: toAuditedConnection(row) } })
    return SUCCESS
  })
}

/**
 * Whoever controls the SMTP server of a company can read its mail. Every administrator is therefore notified of a new
 * one, in the same transaction, by a message that is not sent through that server.
 */
async function notifyMailServerChange(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  row: ConnectionRow,
) {
  if (row.kind !== 'smtp') return
  const effect =
    row.state === 'active'
      ? 'Les messages de votre organisation partent désormais par ce serveur.'
      : 'Ce serveur est enregistré, en pause\u00a0: aucun message ne part encore par lui.'
  await notify(tx, deps, {
    companyId: row.companyId,
    to: { permission: 'companies.write' },
    category: 'security',
    type: 'warning',
    priority: 'high',
    title: `Serveur d’envoi «\u00a0${row.name}\u00a0» enregistré`,
    message: `${formatActorName(actor)} a réglé l’expéditeur «\u00a0${row.name}\u00a0». ${effect} Les invitations, les nouveaux mots de passe et les avis de sécurité partent toujours par Voisol. Si ce n’est pas voulu, suspendez cette connexion, puis vérifiez qui administre votre organisation.`,
    action: { label: 'Voir les connexions', url: '/admin/enterprise-connections' },
    key: `sender ${row.id} ${row.version}`,
  })
}

type FeedQuery = { format: FeedFormat; operationId?: string | undefined; month?: string | undefined }

/** Read by a BI tool with an API key, within the permissions of the key. */
async function buildFeedReply(dataSet: DataSet, ctx: RouteContext, { format, month, operationId = '' }: FeedQuery) {
  if (operationId) await requireVisibleOperation(ctx.db, ctx.actor, operationId)
  const order = {
    dataSet,
    format,
    dialect: 'french' as const,
    from: month ? `${month}-01` : null,
    to: month ? `${getNextMonth(month)}-01` : null,
    operationId: operationId || null,
    participantId: null,
  }
  const name = `${[dataSet, month].filter(Boolean).join('-')}.${format}`
  return { name, type: FEED_TYPES[format], content: Readable.from(streamDataSetFile(ctx, ctx.actor, order)) }
}

function feedRoutes(app: FastifyInstance) {
  addRoute(app, feed.dictionary, async () => ({ items: buildFeedDictionary() }))
  addRoute(app, feed.operations, ({ query }, ctx) => buildFeedReply('operations', ctx, query))
  addRoute(app, feed.participants, ({ query }, ctx) => buildFeedReply('participants', ctx, query))
  addRoute(app, feed.points, ({ query }, ctx) => buildFeedReply('points', ctx, query))
  addRoute(app, feed.readings, ({ query }, ctx) => buildFeedReply('readings', ctx, query))
  addRoute(app, feed.allocations, ({ query }, ctx) => buildFeedReply('allocations', ctx, query))
  addRoute(app, feed.allocationDays, ({ query }, ctx) => buildFeedReply('allocation-days', ctx, query))
  addRoute(app, feed.energies, ({ query }, ctx) => buildFeedReply('energies', ctx, query))
  addRoute(app, feed.forecasts, ({ query }, ctx) => buildFeedReply('forecasts', ctx, query))
  addRoute(app, feed.invoices, ({ query }, ctx) => buildFeedReply('invoices', ctx, query))
  addRoute(app, feed.invoiceLines, ({ query }, ctx) => buildFeedReply('invoice-lines', ctx, query))
  addRoute(app, feed.payments, ({ query }, ctx) => buildFeedReply('payments', ctx, query))
  addRoute(app, feed.entries, ({ query }, ctx) => buildFeedReply('entries', ctx, query))
  addRoute(app, feed.audit, ({ query }, ctx) => buildFeedReply('audit', ctx, query))
  addRoute(app, feed.events, ({ query }, ctx) => buildFeedReply('events', ctx, query))
}
