import { reverseMatches } from '@voisol/money/ledger'
import { and, eq } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { formatLongDay } from '../../../papers/words.ts'
import { isCreditKind, type PairAccount, toMoneyEntry } from '../invoices/invoices.ts'
import { loadPairAccount, lockAccounts, storeMatches, storePendingSetOffs } from './accounts.ts'
import type { PaymentRecord } from './post.ts'

export type ReversePaymentInput = {
  paymentId: string
  kind: 'return' | 'undo'
  bookedOn: string
  source: string
  note?: string
}
type ReopenedDocuments = { invoiceId: string; amount: number }[]

export async function loadPaymentRow(db: Db, companyId: number, id: string): Promise<PaymentRecord> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

const findReversal = async (tx: Db, companyId: number, id: string): Promise<PaymentRecord | undefined> => {
  const [row] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.reversesId, id)))
  return row
}

function requireReversible(payment: PaymentRecord, { bookedOn }: ReversePaymentInput) {
  if (!isCreditKind(payment.kind))
    throw new AppError('conflict', {
      message:
        'Seul ce qui a été reçu ou passé en perte peut être repris\u00a0: une somme rendue se rattrape par un paiement.',
    })
  if (bookedOn < payment.bookedOn)
    throw new AppError('conflict', {
      message: `Un paiement du ${formatLongDay(payment.bookedOn)} ne peut pas être repris le ${formatLongDay(bookedOn)}, avant d’être là.`,
    })
}

/** The documents reopened by reversed matches. */
function listReopenedDocuments({ entries, matches }: PairAccount, creditId: string): ReopenedDocuments {
  const documents = new Set(entries.filter(({ of }) => of === 'document').map(({ id }) => id))
  return matches
    .filter(({ credit, debit, undoes }) => credit === creditId && undoes !== null && documents.has(debit))
    .map(({ debit, amount }) => ({ invoiceId: debit, amount: -amount }))
}

async function insertReversal(
  tx: Db,
  companyId: number,
  payment: PaymentRecord,
  reversal: ReversePaymentInput,
  by: string,
) {
  const account = await loadPairAccount(tx, companyId, payment)
  await storePendingSetOffs(tx, companyId, account, by)
  const { sellerId, buyerId, clientSellerId, amount, method, accountId, id: reversesId } = payment
  const { kind, bookedOn, source, note = '' } = reversal
  const whose = { companyId, id: crypto.randomUUID(), sellerId, buyerId, clientSellerId }
  const row = { ...whose, kind, amount, method, bookedOn, accountId, reversesId, source, note, createdBy: by }
  await tx.insert(payments).values(row)
  account.entries.push(toMoneyEntry(row))
  const added = reverseMatches(account.matches, reversesId)
  const closed = { debit: row.id, credit: reversesId, amount, undoes: null }
  await storeMatches(tx, companyId, account, { added: [...added, closed], by, on: bookedOn })
  const reopened = listReopenedDocuments(account, reversesId)
  await storePendingSetOffs(tx, companyId, account, by)
  return { row, reopened }
}

/** Reverses a payment, returned by the bank or recorded by mistake: what it closed is open again, to the cent. */
export const reversePayment = (db: Db, companyId: number, reversal: ReversePaymentInput, by: string) =>
  transaction(db, async (tx): Promise<{ id: string; already: boolean; reopened: ReopenedDocuments }> => {
    await lockAccounts(tx, companyId)
    const payment = await loadPaymentRow(tx, companyId, reversal.paymentId)
    const back = await findReversal(tx, companyId, payment.id)
    if (back) {
      if (back.source !== reversal.source)
        throw new AppError('conflict', { message: `Ce paiement a déjà été repris le ${formatLongDay(back.bookedOn)}.` })
      const account = await loadPairAccount(tx, companyId, payment)
      return { id: back.id, already: true, reopened: listReopenedDocuments(account, payment.id) }
    }
    requireReversible(payment, reversal)
    const { row, reopened } = await insertReversal(tx, companyId, payment, reversal, by)
    const { sellerId, buyerId, clientSellerId, kind, amount, bookedOn } = row
    const data = { paymentId: payment.id, sellerId, buyerId, clientSellerId, kind, amount, bookedOn, reopened }
    await recordEvent(tx, { companyId, name: 'payment.returned', object: row.id, data })
    return { id: row.id, already: false, reopened }
  })
