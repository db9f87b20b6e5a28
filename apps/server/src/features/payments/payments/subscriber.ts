import { PAYMENT_METHOD_LABELS } from '@voisol/contract/payment-labels'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, eq, sql } from 'drizzle-orm'
import { listUserIdsOfParticipant } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import type { SellerBuyerPair } from '../../billing/invoices/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { loadPairAccount, lockAccounts, storePendingSetOffs } from './post-payment.ts'

/** The account of a document if it has a credit to match; otherwise there is nothing to do, and no lock is needed. */
async function findAccountToSetOff(tx: Db, companyId: number, invoiceId: string): Promise<SellerBuyerPair | undefined> {
  const own = (other: string) => sql`${sql.identifier(other)}.company_id = ${companyId}
    and ${sql.identifier(other)}.seller_id = i.seller_id
    and ${sql.identifier(other)}.buyer_id is not distinct from i.buyer_id
    and ${sql.identifier(other)}.client_seller_id is not distinct from i.client_seller_id`
  const { rows } = await tx.execute<SellerBuyerPair>(sql`
    select i.seller_id as "sellerId", i.buyer_id as "buyerId", i.client_seller_id as "clientSellerId" from invoices i
     where i.company_id = ${companyId} and i.id = ${invoiceId}
       and (exists (select 1 from payments p where ${own('p')})
         or exists (select 1 from invoices c where ${own('c')} and c.kind = 'creditNote'))`)
  return rows[0]
}

/**
 * Stores the matches of a newly issued credit note, or of an advance with a new invoice, which reads already showed.
 */
async function storeSetOffsOfInvoice(
  tx: Db,
  { companyId, data: { invoiceId, kind } }: SubscribedEvent<'invoice.issued'>,
) {
  if (kind === 'statement') return
  const pair = await findAccountToSetOff(tx, companyId, invoiceId)
  if (!pair) return
  await lockAccounts(tx, companyId)
  await storePendingSetOffs(tx, companyId, await loadPairAccount(tx, companyId, pair), '')
}

type PaymentEvent = SubscribedEvent<'payment.received' | 'payment.returned'>

function buildPaymentMessage(event: PaymentEvent, seller: string) {
  const { amount, bookedOn } = event.data
  if (event.name === 'payment.returned')
    return {
      title: 'Un paiement a été rejeté',
      message: `${seller}\u00a0: ${formatEuros(amount)} ont été repris par la banque le ${formatLongDay(bookedOn)}. Ce que ce paiement avait réglé est de nouveau à payer.`,
    }
  const { method, advance } = event.data
  const rest =
    advance > 0 ? ` ${formatEuros(advance)} restent en avance et seront déduits de votre prochaine facture.` : ''
  return {
    title: 'Paiement bien reçu',
    message: `${seller} a reçu ${formatEuros(amount)} le ${formatLongDay(bookedOn)} (${PAYMENT_METHOD_LABELS[method].toLowerCase()}). Merci.${rest}`,
  }
}

/** Old payments are no news, and an undone one was a mistake of the organiser. */
const isRecent = ({ at, data: { bookedOn, kind } }: PaymentEvent) =>
  kind !== 'undo' && Temporal.PlainDate.from(bookedOn).add({ days: 31 }).toString() >= at.toISOString().slice(0, 10)

async function notifyBuyer(tx: Db, deps: Deps, event: PaymentEvent) {
  const { companyId, at, data, object } = event
  if (!data.buyerId || !isRecent(event)) return
  const [row] = await tx
    .select({ seller: sellers.name })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, data.sellerId)))
  const to = await listUserIdsOfParticipant(tx, companyId, data.buyerId)
  if (!row || !to.length) return
  const returned = event.name === 'payment.returned'
  await notify(tx, deps, {
    companyId,
    at,
    to,
    category: 'billing',
    type: returned ? 'warning' : 'success',
    priority: returned ? 'high' : 'normal',
    ...buildPaymentMessage(event, row.seller),
    action: { label: 'Voir mes factures', url: '/client-portal/invoices' },
    key: `${event.name} ${object}`,
  })
}

export const paymentSubscriber = defineSubscriber({
  name: 'payments',
  on: ['invoice.issued', 'payment.received', 'payment.returned'],
  handle: async (tx, deps, event) => {
    if (event.name === 'invoice.issued') await storeSetOffsOfInvoice(tx, event)
    else await notifyBuyer(tx, deps, event)
  },
})
