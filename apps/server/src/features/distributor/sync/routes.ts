import { type SyncTask, sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '../../../core/operation.ts'
import { type Context, route } from '../../../http/route.ts'
import { today } from '../../../today.ts'
import { resumePoint } from './block.ts'
import { allErrors, errorGroups, handleErrors, listErrors } from './error-view.ts'
import { errorsFile } from './export.ts'
import { resumePoints } from './resume-points.ts'
import { getSettings, saveSettings } from './settings.ts'
import { standingOf } from './standing.ts'
import { startTask } from './start.ts'
import { cancelTask, retryTask } from './task-changes.ts'
import { getTask, listTasks, listWindows } from './task-view.ts'

/** What begins earlier is history: it lets the others go first. */
const RECENT_DAYS = 31

function changed({ note }: Context, { before, after }: { before: SyncTask; after: SyncTask }): SyncTask {
  const { operationId } = after
  note({ target: after.operationName, detail: { operationId, before: before.status, after: after.status } })
  return after
}

function taskRoutes(app: FastifyInstance) {
  route(app, sync.tasks, ({ query }, { db, actor }) => listTasks(db, actor, query))
  route(app, sync.task, ({ params }, { db, actor }) => getTask(db, actor, params.id))
  route(app, sync.windows, ({ params, query }, { db, actor }) => listWindows(db, actor, params.id, query))
  route(app, sync.start, async ({ body }, ctx) => {
    const { db, actor, note } = ctx
    const { companyId, userId: createdBy, keyId } = actor
    const operation = await findOperation(db, actor, body.operationId)
    const old = body.from < addDays(today(), -RECENT_DAYS)
    const trigger = old && body.trigger === 'manual' ? 'backfill' : body.trigger
    const task = await getTask(db, actor, await startTask(db, ctx, { ...body, companyId, trigger, createdBy, keyId }))
    note({ target: operation.name, detail: { operationId: operation.id, after: task } })
    return task
  })
  route(app, sync.retry, async ({ params }, ctx) => changed(ctx, await retryTask(ctx.db, ctx.actor, params.id)))
  route(app, sync.cancel, async ({ params }, ctx) => changed(ctx, await cancelTask(ctx.db, ctx.actor, params.id)))
}

function errorRoutes(app: FastifyInstance) {
  route(app, sync.errors, ({ query }, { db, actor }) => listErrors(db, actor, query))
  route(app, sync.errorGroups, ({ query }, { db, actor }) => errorGroups(db, actor, query.handled))
  route(app, sync.exportErrors, async ({ query }, { db, actor }) =>
    errorsFile(await allErrors(db, actor, query), query.format),
  )
  route(app, sync.handle, async ({ body }, { db, actor, note }) => {
    const count = await handleErrors(db, actor, body)
    note({ target: body.code ?? '', detail: { count } })
    return { success: true as const, count }
  })
}

export function syncRoutes(app: FastifyInstance) {
  taskRoutes(app)
  errorRoutes(app)
  route(app, sync.settings, (_, ctx) => getSettings(ctx.db, ctx, ctx.actor))
  route(app, sync.saveSettings, async ({ body }, ctx) => {
    const { before, after } = await saveSettings(ctx.db, ctx, ctx.actor, body)
    ctx.note({ detail: { before, after } })
    return after
  })
  route(app, sync.standing, ({ params }, { db, actor }) => standingOf(db, actor, params.id))
  route(app, sync.resume, async ({ params }, { db, actor, note }) => {
    const point = await resumePoint(db, actor, params.id)
    note({ target: point.prm })
    return { success: true as const }
  })
  route(app, sync.resumeAll, async ({ body }, { db, actor, note }) => {
    const count = await resumePoints(db, actor, body)
    note({ detail: { ...body, count } })
    return { success: true as const, count }
  })
}
