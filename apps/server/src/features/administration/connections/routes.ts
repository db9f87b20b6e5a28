import { type Connection, connections } from '@voisol/contract/connections'
import type { FastifyInstance } from 'fastify'
import { CONNECTORS } from '../../../adapters/connections/table.ts'
import { formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { notifyMailServerChange } from './announce-sender.ts'
import { testConnection } from './check.ts'
import {
  acceptHostKey,
  createConnection,
  getHostKeyAfterChange,
  lockConnection,
  removeConnection,
  setConnectionState,
  updateConnection,
} from './connections.ts'
import { feedRoutes } from './feed-routes.ts'
import { getConnectionRunOptions } from './jobs.ts'
import { type ConnectionRow, decryptSettings, parseSettings, requireConnector, toConnectorTools } from './settings.ts'
import { listAllowedShipments } from './shipments.ts'
import {
  listConnectionRuns,
  listConnections,
  loadConnection,
  loadConnectionRun,
  loadSingleConnectionView,
} from './view.ts'

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
