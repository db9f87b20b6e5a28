import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { and, eq, inArray } from 'drizzle-orm'
import { listUserIdsOfParticipant } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, onlinePayments } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { notify } from '../../identity/notifications/index.ts'

/** Open payment pages of documents that were just paid another way. */
async function enqueueCheckoutClosings(tx: Db, { companyId, seq, data }: SubscribedEvent<'payment.received'>) {
  const ids = data.matched.map(({ invoiceId }) => invoiceId)
  if (!ids.length) return
  const rows = await tx
    .select({ id: onlinePayments.id })
    .from(onlinePayments)
    .where(
      and(
        eq(onlinePayments.companyId, companyId),
        inArray(onlinePayments.invoiceId, ids),
        eq(onlinePayments.state, 'open'),
      ),
    )
  for (const { id } of rows)
    await enqueue(tx, 'online.close', { companyId, id }, { id: toStableId(`online close ${companyId} ${id} ${seq}`) })
}

/** Notifies the payer and the office of a debit that failed days after it was ordered, by mail if they chose so. */
async function notifyFailedPayment(tx: Db, deps: Deps, { companyId, at, data }: SubscribedEvent<'payment.failed'>) {
  const [row] = await tx
    .select({ number: invoices.number, operationId: invoices.operationId, buyerId: invoices.buyerId })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.id, data.invoiceId)))
  if (!row) return
  const why = data.reason ? `\u00a0: ${data.reason}` : ''
  const about = { companyId, at, category: 'billing', type: 'warning', priority: 'high' } as const
  const to = row.buyerId ? await listUserIdsOfParticipant(tx, companyId, row.buyerId) : []
  if (to.length)
    await notify(tx, deps, {
      ...about,
      to,
      title: 'Votre paiement n’est pas passé',
      message: `Le paiement en ligne de ${formatEuros(data.amount)} pour la facture ${row.number} a été refusé${why}. Elle reste à payer.`,
      action: { label: 'Payer la facture', url: `/client-portal/checkout/${data.invoiceId}` },
      key: `payment.failed ${data.onlineId}`,
    })
  await notify(tx, deps, {
    ...about,
    to: { permission: 'payments.write', operationId: row.operationId ?? undefined },
    title: `Paiement en ligne refusé\u00a0: ${row.number}`,
    message: `${formatEuros(data.amount)} n’ont pas été encaissés${why}. La facture reste à payer.`,
    action: { label: 'Voir la facture', url: `/invoice/${data.invoiceId}` },
    key: `payment.failed office ${data.onlineId}`,
  })
}

export const onlineSubscriber = defineSubscriber({
  name: 'online',
  on: ['payment.received', 'payment.failed'],
  handle: async (tx, deps, event) => {
    if (event.name === 'payment.received') await enqueueCheckoutClosings(tx, event)
    else await notifyFailedPayment(tx, deps, event)
  },
})
