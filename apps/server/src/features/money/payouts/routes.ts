import { payouts } from '@voisol/contract/payouts'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { euros } from '../../../papers/decimals.ts'
import { payoutsDue } from './due.ts'
import { filePayouts, payoutFile } from './file.ts'
import { cancelPayout, listPayouts, markPaid, planPayouts } from './write.ts'

export function payoutRoutes(app: FastifyInstance) {
  route(app, payouts.due, async (_, { db, actor }) => ({ items: await payoutsDue(db, actor.companyId) }))
  route(app, payouts.list, async (_, { db, actor }) => ({ items: await listPayouts(db, actor.companyId) }))
  route(app, payouts.plan, async ({ body }, { db, actor, note }) => {
    const done = await planPayouts(db, actor, body)
    const sum = done.items.reduce((total, { amount }) => total + amount, 0)
    note({ target: euros(sum), detail: { ...body, payouts: done.items.length, refused: done.refused.length } })
    return done
  })
  route(app, payouts.file, async ({ body }, ctx) => {
    const file = await filePayouts(ctx, ctx.actor, body)
    ctx.note({ target: file.messageId, detail: { ...body, ...file } })
    return file
  })
  route(app, payouts.download, ({ params }, ctx) => payoutFile(ctx, ctx.actor, params.id))
  route(app, payouts.paid, async ({ params, body }, { db, actor, note }) => {
    const payout = await markPaid(db, actor, params.id, body)
    note({ target: `${payout.seller.name}, ${euros(payout.amount)}`, detail: body })
    return payout
  })
  route(app, payouts.cancel, async ({ params, body }, { db, actor, note }) => {
    const payout = await cancelPayout(db, actor, params.id, body.version)
    note({ target: `${payout.seller.name}, ${euros(payout.amount)}`, detail: body })
    return payout
  })
}
