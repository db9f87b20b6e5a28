import { takeBack } from '@voisol/money/ledger'
import { and, eq } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { longDay } from '../../../papers/words.ts'
import { isCredit, moneyEntry, type PairAccount } from '../invoices/invoices.ts'
import { lockAccounts, readAccount, storeMatches, storeWaiting } from './accounts.ts'
import type { PaymentRow } from './post.ts'

export type Reversal = { paymentId: string; kind: 'return' | 'undo'; bookedOn: string; source: string; note?: string }
type Reopened = { invoiceId: string; amount: number }[]

export async function paymentOf(db: Db, companyId: number, id: string): Promise<PaymentRow> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

const backOf = async (tx: Db, companyId: number, id: string): Promise<PaymentRow | undefined> => {
  const [row] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.reversesId, id)))
  return row
}

function refuse(payment: PaymentRow, { bookedOn }: Reversal) {
  if (!isCredit(payment.kind))
    throw new AppError('conflict', {
      message:
        'Seul ce qui a été reçu ou passé en perte peut être repris\u00a0: une somme rendue se rattrape par un paiement.',
    })
  if (bookedOn < payment.bookedOn)
    throw new AppError('conflict', {
      message: `Un paiement du ${longDay(payment.bookedOn)} ne peut pas être repris le ${longDay(bookedOn)}, avant d’être là.`,
    })
}

/** The documents that its opposites opened again. */
function reopenedBy({ entries, matches }: PairAccount, creditId: string): Reopened {
  const documents = new Set(entries.filter(({ of }) => of === 'document').map(({ id }) => id))
  return matches
    .filter(({ credit, debit, undoes }) => credit === creditId && undoes !== null && documents.has(debit))
    .map(({ debit, amount }) => ({ invoiceId: debit, amount: -amount }))
}

async function write(tx: Db, companyId: number, payment: PaymentRow, reversal: Reversal, by: string) {
  const account = await readAccount(tx, companyId, payment)
  await storeWaiting(tx, companyId, account, by)
  const { sellerId, buyerId, clientSellerId, amount, method, accountId, id: reversesId } = payment
  const { kind, bookedOn, source, note = '' } = reversal
  const whose = { companyId, id: crypto.randomUUID(), sellerId, buyerId, clientSellerId }
  const row = { ...whose, kind, amount, method, bookedOn, accountId, reversesId, source, note, createdBy: by }
  await tx.insert(payments).values(row)
  account.entries.push(moneyEntry(row))
  const added = takeBack(account.matches, reversesId)
  const closed = { debit: row.id, credit: reversesId, amount, undoes: null }
  await storeMatches(tx, companyId, account, { added: [...added, closed], by, on: bookedOn })
  const reopened = reopenedBy(account, reversesId)
  await storeWaiting(tx, companyId, account, by)
  return { row, reopened }
}

/** Takes a payment back, because the bank did or because it was wrong: what it had closed is open again, to the cent. */
export const reversePayment = (db: Db, companyId: number, reversal: Reversal, by: string) =>
  transaction(db, async (tx): Promise<{ id: string; already: boolean; reopened: Reopened }> => {
    await lockAccounts(tx, companyId)
    const payment = await paymentOf(tx, companyId, reversal.paymentId)
    const back = await backOf(tx, companyId, payment.id)
    if (back) {
      if (back.source !== reversal.source)
        throw new AppError('conflict', { message: `Ce paiement a déjà été repris le ${longDay(back.bookedOn)}.` })
      const account = await readAccount(tx, companyId, payment)
      return { id: back.id, already: true, reopened: reopenedBy(account, payment.id) }
    }
    refuse(payment, reversal)
    const { row, reopened } = await write(tx, companyId, payment, reversal, by)
    const { sellerId, buyerId, clientSellerId, kind, amount, bookedOn } = row
    const data = { paymentId: payment.id, sellerId, buyerId, clientSellerId, kind, amount, bookedOn, reopened }
    await record(tx, { companyId, name: 'payment.returned', object: row.id, data })
    return { id: row.id, already: false, reopened }
  })
