import { type DebitRunDetail, debits } from '@voisol/contract/debits'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { announceRun } from './announce.ts'
import { planRun } from './plan.ts'
import { fileOf, prepareFile } from './prepare.ts'
import { cancelRun, markSent } from './runs.ts'
import { getRun, listRuns } from './view.ts'

function noted(ctx: Context, run: DebitRunDetail) {
  const { collectionOn, messageId, state, debits: count, total } = run
  ctx.note({ target: `Prélèvement du ${collectionOn}`, detail: { after: { messageId, state, count, total } } })
  return run
}

export function debitRoutes(app: FastifyInstance) {
  route(app, debits.plan, ({ query }, { db, actor }) => planRun(db, actor.companyId, query))
  route(app, debits.list, (_, { db, actor }) => listRuns(db, actor.companyId))
  route(app, debits.get, ({ params }, { db, actor }) => getRun(db, actor.companyId, params.id))
  route(app, debits.file, ({ params }, { db, files, actor }) => fileOf(db, files, actor.companyId, params.id))
  route(app, debits.announce, async ({ body }, ctx) => noted(ctx, await announceRun(ctx.db, ctx, ctx.actor, body)))
  route(app, debits.prepare, async ({ params, body }, ctx) =>
    noted(ctx, await prepareFile(ctx.db, ctx, ctx.actor, params.id, body.version)),
  )
  route(app, debits.sent, async ({ params, body }, ctx) =>
    noted(ctx, await markSent(ctx.db, ctx.actor, params.id, body.version)),
  )
  route(app, debits.cancel, async ({ params, body }, ctx) =>
    noted(ctx, await cancelRun(ctx.db, ctx, ctx.actor, params.id, body.version)),
  )
}
