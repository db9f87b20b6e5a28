import { type Connection, connections } from '@voisol/contract/connections'
import type { FastifyInstance } from 'fastify'
import { CONNECTORS } from '../../../adapters/connections/table.ts'
import { nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { announceSender } from './announce-sender.ts'
import { test } from './check.ts'
import {
  acceptKey,
  createConnection,
  keyFor,
  lockConnection,
  moveConnection,
  removeConnection,
  updateConnection,
} from './connections.ts'
import { feedRoutes } from './feed-routes.ts'
import { onceOf } from './jobs.ts'
import { findConnector, openSettings, type Row, readSettings, toolsOf } from './settings.ts'
import { offeredTo } from './shipments.ts'
import { findConnection, listConnections, listRuns, readRun, showOne } from './view.ts'

const DONE = { success: true as const }
/** What the journal keeps: never a secret, nor where only somebody's eyes should look. */
const kept = ({ kind, name, state, schedule, shipments, hostKey }: Row | Connection) => ({
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
  route(app, connections.kinds, async (_, { actor }) => ({
    kinds: CONNECTORS.map(({ kind, label, about, can, fields }) => ({ kind, label, about, can, fields })),
    shipments: offeredTo(actor).map(({ id, label, about }) => ({ id, label, about })),
  }))
  route(app, connections.list, ({ query }, { db, actor }) => listConnections(db, deps, actor, query))
  route(app, connections.runs, ({ params, query }, { db, actor }) => listRuns(db, actor, params.id, query))
  route(app, connections.run, ({ params }, { db, actor }) => readRun(db, actor, params.id, params.runId))

  route(app, connections.check, async ({ body }, { db, actor, note }) => {
    const connector = findConnector(body.kind)
    const row = body.id ? await findConnection(db, actor, body.id) : undefined
    if (row && row.kind !== body.kind) throw new AppError('not-found')
    const held = row && openSettings(deps, row)
    const settings = readSettings(toolsOf(deps), connector, body.settings, held)
    const hostKey = row && held ? keyFor(row, connector, held, settings) : ''
    const tested = await test(deps, connector, { settings, hostKey }, actor.email)
    note({ target: row?.name ?? connector.label, detail: { kind: body.kind, ok: tested.ok, message: tested.message } })
    return tested
  })

  route(app, connections.create, async ({ body }, { db, actor, note }) => {
    const { row, token } = await createConnection(db, deps, actor, body)
    await announceSender(db, deps, actor, row)
    note({ target: row.name, detail: { connectionId: row.id, after: kept(row) } })
    return { ...(await showOne(db, deps, row)), token }
  })

  route(app, connections.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateConnection(db, deps, actor, params.id, body)
    await announceSender(db, deps, actor, after)
    note({ target: after.name, detail: { connectionId: after.id, before: kept(before), after: kept(after) } })
    return showOne(db, deps, after)
  })

  route(app, connections.move, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await moveConnection(db, deps, actor, params.id, body.state)
    if (after.state === 'active') await announceSender(db, deps, actor, after)
    note({ target: after.name, detail: { connectionId: after.id, before: kept(before), after: kept(after) } })
    return showOne(db, deps, after)
  })

  route(app, connections.acceptKey, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await acceptKey(db, deps, actor, params.id, body.fingerprint)
    note({ target: after.name, detail: { connectionId: after.id, before: kept(before), after: kept(after) } })
    return showOne(db, deps, after)
  })

  route(app, connections.start, async ({ params: { id } }, { db, actor, note }) => {
    const row = await lockConnection(db, actor, id)
    note({ target: row.name, detail: { connectionId: id } })
    if (row.state !== 'active') throw new AppError('conflict', { message: NOT_ACTIVE })
    const asked = { companyId: row.companyId, id, askedBy: nameOfActor(actor) }
    if (!(await enqueue(db, 'connections.run', asked, onceOf(row.companyId, id))))
      throw new AppError('in-progress', { message: 'Un passage est déjà en cours\u00a0: attendez qu’il s’achève.' })
    return DONE
  })

  route(app, connections.remove, async ({ params }, { db, actor, note }) => {
    const row = await removeConnection(db, actor, params.id)
    note({ target: row.name, detail: { connectionId: row.id, before: kept(row) } })
    return DONE
  })
}
