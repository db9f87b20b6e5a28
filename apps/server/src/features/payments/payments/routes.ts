import { payments } from '@voisol/contract/payments'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import {
  listPayments,
  loadBuyerAccounts,
  loadInvoicePayments,
  loadPayment,
  loadPaymentChoices,
} from './list-payments.ts'
import {
  proposeMatches,
  recordManualPayment,
  recordManualRefund,
  undoPayment,
  writeOffInvoice,
} from './record-payment.ts'

export function registerPaymentRoutes(app: FastifyInstance) {
  addRoute(app, payments.list, ({ query }, { db, actor }) => listPayments(db, actor, query))
  addRoute(app, payments.choices, (_, { db, actor }) => loadPaymentChoices(db, actor))
  addRoute(app, payments.proposal, ({ query: { references, ...query } }, { db, actor }) =>
    proposeMatches(db, actor, { ...query, references: references?.split(',').filter(Boolean) ?? [] }),
  )
  addRoute(app, payments.account, ({ params }, { db, actor }) => loadBuyerAccounts(db, actor, params.id))
  addRoute(app, payments.ofInvoice, ({ params }, { db, actor }) => loadInvoicePayments(db, actor, params.id))

  addRoute(app, payments.create, async ({ body }, { db, actor, note }) => {
    const payment = await recordManualPayment(db, actor, body)
    note({
      target: `${payment.buyer.name}, ${formatEuros(payment.amount)}`,
      detail: { paymentId: payment.id, ...body },
    })
    return payment
  })
  addRoute(app, payments.writeOff, async ({ body }, { db, actor, note }) => {
    const { payment, number } = await writeOffInvoice(db, actor, body)
    note({ target: `${number}, ${formatEuros(payment.amount)}`, detail: { paymentId: payment.id, ...body } })
    return payment
  })
  addRoute(app, payments.refund, async ({ body }, { db, actor, note }) => {
    const payment = await recordManualRefund(db, actor, body)
    note({
      target: `${payment.buyer.name}, ${formatEuros(payment.amount)}`,
      detail: { paymentId: payment.id, ...body },
    })
    return payment
  })
  addRoute(app, payments.undo, async ({ params, body }, { db, actor, note }) => {
    const before = await loadPayment(db, actor, params.id)
    const payment = await undoPayment(db, actor, params.id, body.reason)
    note({ target: `${before.buyer.name}, ${formatEuros(before.amount)}`, detail: { paymentId: params.id, ...body } })
    return payment
  })
}
