import { payouts } from '@voisol/contract/payouts'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import {
  cancelPayout,
  createPayoutFile,
  listPayouts,
  loadDuePayouts,
  loadPayoutFile,
  markPayoutPaid,
  planPayouts,
} from './producer-payouts.ts'

export function registerPayoutRoutes(app: FastifyInstance) {
  addRoute(app, payouts.due, async (_, { db, actor }) => ({ items: await loadDuePayouts(db, actor.companyId) }))
  addRoute(app, payouts.list, async (_, { db, actor }) => ({ items: await listPayouts(db, actor.companyId) }))
  addRoute(app, payouts.plan, async ({ body }, { db, actor, note }) => {
    const done = await planPayouts(db, actor, body)
    const sum = done.items.reduce((total, { amount }) => total + amount, 0)
    note({ target: formatEuros(sum), detail: { ...body, payouts: done.items.length, refused: done.refused.length } })
    return done
  })
  addRoute(app, payouts.file, async ({ body }, ctx) => {
    const file = await createPayoutFile(ctx, ctx.actor, body)
    ctx.note({ target: file.messageId, detail: { ...body, ...file } })
    return file
  })
  addRoute(app, payouts.download, ({ params }, ctx) => loadPayoutFile(ctx, ctx.actor, params.id))
  addRoute(app, payouts.paid, async ({ params, body }, { db, actor, note }) => {
    const payout = await markPayoutPaid(db, actor, params.id, body)
    note({ target: `${payout.seller.name}, ${formatEuros(payout.amount)}`, detail: body })
    return payout
  })
  addRoute(app, payouts.cancel, async ({ params, body }, { db, actor, note }) => {
    const payout = await cancelPayout(db, actor, params.id, body.version)
    note({ target: `${payout.seller.name}, ${formatEuros(payout.amount)}`, detail: body })
    return payout
  })
}
