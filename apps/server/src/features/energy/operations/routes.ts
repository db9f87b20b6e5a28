import { type Operation, operations } from '@voisol/contract/operations'
import type { FastifyInstance } from 'fastify'
import { apart, confirmed, type Word, wordOf } from '../../../core/shown.ts'
import type { Db } from '../../../db/client.ts'
import { type Context, route } from '../../../http/route.ts'
import { checkOperation } from './check.ts'
import { createOperation } from './create.ts'
import { operationsFile } from './export.ts'
import { getOperation } from './find.ts'
import { moveOperation, overviewOf, type Standings } from './life-cycle.ts'
import { removeOperation } from './remove.ts'
import { updateOperation } from './update.ts'
import { allOperations, listOperations } from './view.ts'

/** Keeps what changed for the audit log, field by field, and answers with the operation as it is now. */
function changed({ note }: Context, { before, after }: { before: Operation; after: Operation }, word: Word): Operation {
  const names = Object.keys(after) as (keyof Operation)[] // Object.keys forgets them
  const differing = names.filter(
    (name) => name !== 'version' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (of: Operation) => Object.fromEntries(differing.map((name) => [name, of[name]]))
  const detail = { operationId: after.id, before: pick(before), after: pick(after), ...wordOf(word) }
  note({ target: after.name, detail })
  return after
}

/** What the distributor says of an operation is known to those who reconcile, later in the order of the wings. */
export function operationRoutes(app: FastifyInstance, standings: Standings) {
  route(app, operations.list, ({ query }, { db, actor }) => listOperations(db, actor, query))
  route(app, operations.export, async ({ query }, { db, actor }) =>
    operationsFile(await allOperations(db, actor, query), query.format),
  )
  route(app, operations.get, ({ params }, { db, actor }) => getOperation(db, actor, params.id))
  route(app, operations.overview, ({ params }, { db, actor }) => overviewOf(db, actor, params.id, standings))
  route(app, operations.create, async ({ body }, { db, actor, note }) => {
    const after = await createOperation(db, actor, body)
    note({ target: after.name, detail: { operationId: after.id, after } })
    return after
  })
  route(app, operations.check, async ({ body }, { db, actor }) => ({ issues: await checkOperation(db, actor, body) }))
  route(app, operations.update, async ({ params, body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'operation' as const, id: params.id, body: input }
    const write = (tx: Db) => updateOperation(tx, ctx.actor, params.id, input)
    return changed(ctx, await confirmed(ctx, change, word, write), word)
  })
  route(app, operations.move, async ({ params, body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'status' as const, id: params.id, body: input }
    const write = (tx: Db) => moveOperation(tx, ctx.actor, params.id, input)
    return changed(ctx, await confirmed(ctx, change, word, write), word)
  })
  route(app, operations.remove, async ({ params }, { db, actor, note }) => {
    const before = await removeOperation(db, actor, params.id)
    note({ target: before.name, detail: { operationId: before.id, before } })
    return { success: true as const }
  })
}
