import { type Operation, operations } from '@voisol/contract/operations'
import type { FastifyInstance } from 'fastify'
import {
  applyConfirmedChange,
  type ChangeConfirmation,
  splitConfirmation,
  toConfirmationDetail,
} from '../../../core/shown.ts'
import type { Db } from '../../../db/client.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { checkOperation } from './check.ts'
import { createOperation } from './create.ts'
import { exportOperations } from './export.ts'
import { loadOperation } from './find.ts'
import { changeOperationStatus, loadOperationOverview, type ReconciliationLoader } from './life-cycle.ts'
import { removeOperation } from './remove.ts'
import { updateOperation } from './update.ts'
import { listAllOperations, listOperations } from './view.ts'

/** Records the changed fields in the audit log, and returns the operation as it is now. */
function recordOperationChange(
  { note }: RouteContext,
  { before, after }: { before: Operation; after: Operation },
  word: ChangeConfirmation,
): Operation {
  const names = Object.keys(after) as (keyof Operation)[] // Object.keys loses their type
  const differing = names.filter(
    (name) => name !== 'version' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (of: Operation) => Object.fromEntries(differing.map((name) => [name, of[name]]))
  const detail = { operationId: after.id, before: pick(before), after: pick(after), ...toConfirmationDetail(word) }
  note({ target: after.name, detail })
  return after
}

/** Injected because reconciliation is a feature that depends on this one. */
export function operationRoutes(app: FastifyInstance, loadReconciliation: ReconciliationLoader) {
  addRoute(app, operations.list, ({ query }, { db, actor }) => listOperations(db, actor, query))
  addRoute(app, operations.export, async ({ query }, { db, actor }) =>
    exportOperations(await listAllOperations(db, actor, query), query.format),
  )
  addRoute(app, operations.get, ({ params }, { db, actor }) => loadOperation(db, actor, params.id))
  addRoute(app, operations.overview, ({ params }, { db, actor }) =>
    loadOperationOverview(db, actor, params.id, loadReconciliation),
  )
  addRoute(app, operations.create, async ({ body }, { db, actor, note }) => {
    const after = await createOperation(db, actor, body)
    note({ target: after.name, detail: { operationId: after.id, after } })
    return after
  })
  addRoute(app, operations.check, async ({ body }, { db, actor }) => ({
    issues: await checkOperation(db, actor, body),
  }))
  addRoute(app, operations.update, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'operation' as const, id: params.id, body: input }
    const write = (tx: Db) => updateOperation(tx, ctx.actor, params.id, input)
    return recordOperationChange(ctx, await applyConfirmedChange(ctx, change, word, write), word)
  })
  addRoute(app, operations.move, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'status' as const, id: params.id, body: input }
    const write = (tx: Db) => changeOperationStatus(tx, ctx.actor, params.id, input)
    return recordOperationChange(ctx, await applyConfirmedChange(ctx, change, word, write), word)
  })
  addRoute(app, operations.remove, async ({ params }, { db, actor, note }) => {
    const before = await removeOperation(db, actor, params.id)
    note({ target: before.name, detail: { operationId: before.id, before } })
    return { success: true as const }
  })
}
