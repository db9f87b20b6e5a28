import { type DebitRunDetail, debits } from '@voisol/contract/debits'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { announceDebitRun } from './announce-debit-run.ts'
import { loadDebitFile, prepareDebitFile } from './debit-file.ts'
import { cancelDebitRun, listDebitRuns, loadDebitRun, markRunSent } from './debit-runs.ts'
import { planDebitRun } from './plan-debit-run.ts'

function noteRun(ctx: RouteContext, run: DebitRunDetail) {
  const { collectionOn, messageId, state, debits: count, total } = run
  ctx.note({ target: `Prélèvement du ${collectionOn}`, detail: { after: { messageId, state, count, total } } })
  return run
}

export function registerDebitRoutes(app: FastifyInstance) {
  addRoute(app, debits.plan, ({ query }, { db, actor }) => planDebitRun(db, actor.companyId, query))
  addRoute(app, debits.list, (_, { db, actor }) => listDebitRuns(db, actor.companyId))
  addRoute(app, debits.get, ({ params }, { db, actor }) => loadDebitRun(db, actor.companyId, params.id))
  addRoute(app, debits.file, ({ params }, { db, files, actor }) => loadDebitFile(db, files, actor.companyId, params.id))
  addRoute(app, debits.announce, async ({ body }, ctx) =>
    noteRun(ctx, await announceDebitRun(ctx.db, ctx, ctx.actor, body)),
  )
  addRoute(app, debits.prepare, async ({ params, body }, ctx) =>
    noteRun(ctx, await prepareDebitFile(ctx.db, ctx, ctx.actor, params.id, body.version)),
  )
  addRoute(app, debits.sent, async ({ params, body }, ctx) =>
    noteRun(ctx, await markRunSent(ctx.db, ctx.actor, params.id, body.version)),
  )
  addRoute(app, debits.cancel, async ({ params, body }, ctx) =>
    noteRun(ctx, await cancelDebitRun(ctx.db, ctx, ctx.actor, params.id, body.version)),
  )
}
