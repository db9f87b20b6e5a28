import { type SyncTask, sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { resumePoint, resumePoints } from './blocked-points.ts'
import { cancelSyncTask, retrySyncTask } from './change-tasks.ts'
import { startSyncTask } from './start-task.ts'
import {
  buildErrorsFile,
  listAllSyncErrors,
  listErrorGroups,
  listSyncErrors,
  markErrorsHandled,
} from './sync-errors.ts'
import { loadSyncSettings, saveSyncSettings } from './sync-settings.ts'
import { listSyncTasks, listSyncWindows, loadOperationSyncStatus, loadSyncTask } from './task-queries.ts'

/** An earlier start makes the task a history import, which runs after the others. */
const RECENT_DAYS = 31

function noteTaskChange({ note }: RouteContext, { before, after }: { before: SyncTask; after: SyncTask }): SyncTask {
  const { operationId } = after
  note({ target: after.operationName, detail: { operationId, before: before.status, after: after.status } })
  return after
}

function taskRoutes(app: FastifyInstance) {
  addRoute(app, sync.tasks, ({ query }, { db, actor }) => listSyncTasks(db, actor, query))
  addRoute(app, sync.task, ({ params }, { db, actor }) => loadSyncTask(db, actor, params.id))
  addRoute(app, sync.windows, ({ params, query }, { db, actor }) => listSyncWindows(db, actor, params.id, query))
  addRoute(app, sync.start, async ({ body }, ctx) => {
    const { db, actor, note } = ctx
    const { companyId, userId: createdBy, keyId } = actor
    const operation = await requireVisibleOperation(db, actor, body.operationId)
    const old = body.from < addDays(getToday(), -RECENT_DAYS)
    const trigger = old && body.trigger === 'manual' ? 'backfill' : body.trigger
    const task = await loadSyncTask(
      db,
      actor,
      await startSyncTask(db, ctx, { ...body, companyId, trigger, createdBy, keyId }),
    )
    note({ target: operation.name, detail: { operationId: operation.id, after: task } })
    return task
  })
  addRoute(app, sync.retry, async ({ params }, ctx) =>
    noteTaskChange(ctx, await retrySyncTask(ctx.db, ctx.actor, params.id)),
  )
  addRoute(app, sync.cancel, async ({ params }, ctx) =>
    noteTaskChange(ctx, await cancelSyncTask(ctx.db, ctx.actor, params.id)),
  )
}

function errorRoutes(app: FastifyInstance) {
  addRoute(app, sync.errors, ({ query }, { db, actor }) => listSyncErrors(db, actor, query))
  addRoute(app, sync.errorGroups, ({ query }, { db, actor }) => listErrorGroups(db, actor, query.handled))
  addRoute(app, sync.exportErrors, async ({ query }, { db, actor }) =>
    buildErrorsFile(await listAllSyncErrors(db, actor, query), query.format),
  )
  addRoute(app, sync.handle, async ({ body }, { db, actor, note }) => {
    const count = await markErrorsHandled(db, actor, body)
    note({ target: body.code ?? '', detail: { count } })
    return { success: true as const, count }
  })
}

export function syncRoutes(app: FastifyInstance) {
  taskRoutes(app)
  errorRoutes(app)
  addRoute(app, sync.settings, (_, ctx) => loadSyncSettings(ctx.db, ctx, ctx.actor))
  addRoute(app, sync.saveSettings, async ({ body }, ctx) => {
    const { before, after } = await saveSyncSettings(ctx.db, ctx, ctx.actor, body)
    ctx.note({ detail: { before, after } })
    return after
  })
  addRoute(app, sync.standing, ({ params }, { db, actor }) => loadOperationSyncStatus(db, actor, params.id))
  addRoute(app, sync.resume, async ({ params }, { db, actor, note }) => {
    const point = await resumePoint(db, actor, params.id)
    note({ target: point.prm })
    return { success: true as const }
  })
  addRoute(app, sync.resumeAll, async ({ body }, { db, actor, note }) => {
    const count = await resumePoints(db, actor, body)
    note({ detail: { ...body, count } })
    return { success: true as const, count }
  })
}
