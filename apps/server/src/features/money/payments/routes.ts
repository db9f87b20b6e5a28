import { payments } from '@voisol/contract/payments'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { euros } from '../../../papers/decimals.ts'
import { getPayment, listPayments } from './list.ts'
import { propose, recordManual, refundManual, undo, writeOff } from './manual.ts'
import { buyerAccounts, choicesOf, paymentsOfInvoice } from './view.ts'

export function paymentRoutes(app: FastifyInstance) {
  route(app, payments.list, ({ query }, { db, actor }) => listPayments(db, actor, query))
  route(app, payments.choices, (_, { db, actor }) => choicesOf(db, actor))
  route(app, payments.proposal, ({ query: { references, ...query } }, { db, actor }) =>
    propose(db, actor, { ...query, references: references?.split(',').filter(Boolean) ?? [] }),
  )
  route(app, payments.account, ({ params }, { db, actor }) => buyerAccounts(db, actor, params.id))
  route(app, payments.ofInvoice, ({ params }, { db, actor }) => paymentsOfInvoice(db, actor, params.id))

  route(app, payments.create, async ({ body }, { db, actor, note }) => {
    const payment = await recordManual(db, actor, body)
    note({ target: `${payment.buyer.name}, ${euros(payment.amount)}`, detail: { paymentId: payment.id, ...body } })
    return payment
  })
  route(app, payments.writeOff, async ({ body }, { db, actor, note }) => {
    const { payment, number } = await writeOff(db, actor, body)
    note({ target: `${number}, ${euros(payment.amount)}`, detail: { paymentId: payment.id, ...body } })
    return payment
  })
  route(app, payments.refund, async ({ body }, { db, actor, note }) => {
    const payment = await refundManual(db, actor, body)
    note({ target: `${payment.buyer.name}, ${euros(payment.amount)}`, detail: { paymentId: payment.id, ...body } })
    return payment
  })
  route(app, payments.undo, async ({ params, body }, { db, actor, note }) => {
    const before = await getPayment(db, actor, params.id)
    const payment = await undo(db, actor, params.id, body.reason)
    note({ target: `${before.buyer.name}, ${euros(before.amount)}`, detail: { paymentId: params.id, ...body } })
    return payment
  })
}
