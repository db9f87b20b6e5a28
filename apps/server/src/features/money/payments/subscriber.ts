import { METHOD_WORDS } from '@voisol/contract/payment-words'
import { and, eq, sql } from 'drizzle-orm'
import { holdersOf } from '../../../core/held.ts'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay } from '../../../papers/words.ts'
import { notify } from '../../people/notifications/notifications.ts'
import type { Pair } from '../invoices/invoices.ts'
import { lockAccounts, readAccount, storeWaiting } from './accounts.ts'

/** Whose account a document is on, where something can be set off: without a credit there is nothing to, and nobody to wait for. */
async function accountToSetOff(tx: Db, companyId: number, invoiceId: string): Promise<Pair | undefined> {
  const own = (other: string) => sql`${sql.identifier(other)}.company_id = ${companyId}
    and ${sql.identifier(other)}.seller_id = i.seller_id
    and ${sql.identifier(other)}.buyer_id is not distinct from i.buyer_id
    and ${sql.identifier(other)}.client_seller_id is not distinct from i.client_seller_id`
  const { rows } = await tx.execute<Pair>(sql`
    select i.seller_id as "sellerId", i.buyer_id as "buyerId", i.client_seller_id as "clientSellerId" from invoices i
     where i.company_id = ${companyId} and i.id = ${invoiceId}
       and (exists (select 1 from payments p where ${own('p')})
         or exists (select 1 from invoices c where ${own('c')} and c.kind = 'creditNote'))`)
  return rows[0]
}

/** A credit note that was issued, or an advance that waited for an invoice: what was shown so far is now stored. */
async function storeIssued(tx: Db, { companyId, data: { invoiceId, kind } }: Heard<'invoice.issued'>) {
  if (kind === 'statement') return
  const pair = await accountToSetOff(tx, companyId, invoiceId)
  if (!pair) return
  await lockAccounts(tx, companyId)
  await storeWaiting(tx, companyId, await readAccount(tx, companyId, pair), '')
}

type Paid = Heard<'payment.received' | 'payment.returned'>

function wordsOf(event: Paid, seller: string) {
  const { amount, bookedOn } = event.data
  if (event.name === 'payment.returned')
    return {
      title: 'Un paiement a été rejeté',
      message: `${seller}\u00a0: ${euros(amount)} ont été repris par la banque le ${longDay(bookedOn)}. Ce que ce paiement avait réglé est de nouveau à payer.`,
    }
  const { method, advance } = event.data
  const rest = advance > 0 ? ` ${euros(advance)} restent en avance et seront déduits de votre prochaine facture.` : ''
  return {
    title: 'Paiement bien reçu',
    message: `${seller} a reçu ${euros(amount)} le ${longDay(bookedOn)} (${METHOD_WORDS[method].toLowerCase()}). Merci.${rest}`,
  }
}

/** What is told of a past is no news, and what was undone was a mistake of the organiser's. */
const isNews = ({ at, data: { bookedOn, kind } }: Paid) =>
  kind !== 'undo' && Temporal.PlainDate.from(bookedOn).add({ days: 31 }).toString() >= at.toISOString().slice(0, 10)

async function tellBuyer(tx: Db, deps: Deps, event: Paid) {
  const { companyId, at, data, object } = event
  if (!data.buyerId || !isNews(event)) return
  const [row] = await tx
    .select({ seller: sellers.name })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, data.sellerId)))
  const to = await holdersOf(tx, companyId, data.buyerId)
  if (!row || !to.length) return
  const returned = event.name === 'payment.returned'
  await notify(tx, deps, {
    companyId,
    at,
    to,
    category: 'billing',
    type: returned ? 'warning' : 'success',
    priority: returned ? 'high' : 'normal',
    ...wordsOf(event, row.seller),
    action: { label: 'Voir mes factures', url: '/client-portal/invoices' },
    key: `${event.name} ${object}`,
  })
}

export const paymentSubscriber = subscriber({
  name: 'payments',
  on: ['invoice.issued', 'payment.received', 'payment.returned'],
  handle: async (tx, deps, event) => {
    if (event.name === 'invoice.issued') await storeIssued(tx, event)
    else await tellBuyer(tx, deps, event)
  },
})
