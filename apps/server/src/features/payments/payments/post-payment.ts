import type { PaymentMethod, PostedKind } from '@voisol/contract/payment-labels'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import {
  allocatePayment,
  computeOpenAmounts,
  matchOpenCredits,
  type NewLedgerMatch,
  reverseMatches,
} from '@voisol/money/ledger'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { matches, payments } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import {
  type AccountEntry,
  computeAccountOpenAmounts,
  isCreditKind,
  loadPairAccounts,
  type PairAccount,
  type SellerBuyerPair,
  toMoneyEntry,
} from '../../billing/invoices/index.ts'

/**
 * Serialises all writes to a company's accounts, before any event is recorded: with a lock per account, a call that
 * posts to several could deadlock with the lock on events.
 */
export const lockAccounts = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`accounts ${companyId}`}, 0))`)

export async function loadPairAccount(db: Db, companyId: number, pair: SellerBuyerPair): Promise<PairAccount> {
  const [account] = await loadPairAccounts(db, companyId, { pair })
  return account ?? { pair, entries: [], matches: [] }
}

const getLaterDay = (a: string, b: string) => (a > b ? a : b)

/** Stores matches on an account, dated when both sides exist, or when the reversal happened. */
async function storeMatches(
  tx: Db,
  companyId: number,
  account: PairAccount,
  { added, by, on }: { added: readonly NewLedgerMatch[]; by: string; on?: string },
) {
  if (!added.length) return
  const entries = new Map(account.entries.map((entry) => [entry.id, entry]))
  const find = (id: string): AccountEntry => {
    const entry = entries.get(id)
    if (!entry) throw new Error('a match of another account')
    return entry
  }
  const rows = added.map(({ debit, credit, amount, undoes }) => {
    const [owed, paid] = [find(debit), find(credit)]
    return {
      companyId,
      id: crypto.randomUUID(),
      debitInvoiceId: owed.of === 'document' ? debit : null,
      debitPaymentId: owed.of === 'money' ? debit : null,
      creditInvoiceId: paid.of === 'document' ? credit : null,
      creditPaymentId: paid.of === 'money' ? credit : null,
      amount,
      matchedOn: undoes && on ? on : getLaterDay(owed.bookedOn, paid.bookedOn),
      undoesId: undoes,
      createdBy: by,
    }
  })
  await tx.insert(matches).values(rows)
  account.matches.push(...added.map((match, at) => ({ ...match, id: rows[at]?.id ?? '' })))
}

/** Stores the pending matches of an account: credit notes first, then advances. A second call finds nothing. */
export async function storePendingSetOffs(tx: Db, companyId: number, account: PairAccount, by: string) {
  await storeMatches(tx, companyId, account, { added: matchOpenCredits(account.entries, account.matches), by })
}

export type PostPaymentInput = SellerBuyerPair & {
  kind: PostedKind
  /** Positive, in cents. */
  amount: number
  method: PaymentMethod
  bookedOn: string
  accountId: string | null
  /** Idempotency key: posting the same source again changes nothing. */
  source: string
  note?: string
  /** Numbers of the documents it pays. */
  references?: string[]
}
export type PaymentPlacement = { matched: { invoiceId: string; number: string; amount: number }[]; advance: number }
export type PaymentRecord = typeof payments.$inferSelect

/** What a credit of an account closed, and its rest. */
export function getPlacement({ entries, matches }: PairAccount, id: string): PaymentPlacement {
  const own = new Map<string, number>()
  for (const { debit, credit, amount } of matches) if (credit === id) own.set(debit, (own.get(debit) ?? 0) + amount)
  const matched = entries.flatMap(({ id: invoiceId, of, number }) => {
    const amount = own.get(invoiceId) ?? 0
    return of === 'document' && amount > 0 ? [{ invoiceId, number, amount }] : []
  })
  const entry = entries.find((one) => one.id === id)
  return { matched, advance: entry?.side === 'credit' ? (computeOpenAmounts(entries, matches).get(id) ?? 0) : 0 }
}

const toPair = ({ sellerId, buyerId, clientSellerId }: SellerBuyerPair): SellerBuyerPair => ({
  sellerId,
  buyerId,
  clientSellerId,
})

/** The payment already posted from this source to this account. */
async function findPostedPayment(tx: Db, companyId: number, posting: SellerBuyerPair & { source: string }) {
  const [row] = await tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.companyId, companyId),
        eq(payments.source, posting.source),
        eq(payments.sellerId, posting.sellerId),
        sql`${payments.buyerId} is not distinct from ${posting.buyerId}::uuid`,
        sql`${payments.clientSellerId} is not distinct from ${posting.clientSellerId}::uuid`,
      ),
    )
  return row
}

/** A write-off cannot exceed the open amount of the named documents. */
function requireWriteOffWithinOwed(account: PairAccount, { kind, amount, references = [] }: PostPaymentInput) {
  if (kind !== 'writeOff') return
  const open = computeAccountOpenAmounts(account)
  const owed = account.entries
    .filter(({ side, number }) => side === 'debit' && (references.length === 0 || references.includes(number)))
    .reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0)
  if (amount > owed)
    throw new AppError('conflict', {
      message: `Rien n’est enregistré\u00a0: ${formatEuros(amount)} ne peuvent pas être passés en perte, il reste ${formatEuros(owed)} à payer.`,
    })
}

const toReceivedEvent = (row: PostPaymentInput & { id: string }, { matched, advance }: PaymentPlacement) => ({
  paymentId: row.id,
  ...toPair(row),
  kind: row.kind,
  method: row.method,
  amount: row.amount,
  bookedOn: row.bookedOn,
  matched: matched.map(({ invoiceId, amount }) => ({ invoiceId, amount })),
  advance,
})

async function insertPayment(tx: Db, companyId: number, posting: PostPaymentInput, by: string) {
  const account = await loadPairAccount(tx, companyId, toPair(posting))
  requireWriteOffWithinOwed(account, posting)
  const { references = [], note = '', ...values } = posting
  const row = { companyId, id: crypto.randomUUID(), ...values, note, createdBy: by }
  const entry = toMoneyEntry(row)
  const added = isCreditKind(row.kind)
    ? allocatePayment(account.entries, account.matches, { credit: entry, references })
    : []
  await tx.insert(payments).values(row)
  account.entries.push(entry)
  await storeMatches(tx, companyId, account, { added, by })
  await storePendingSetOffs(tx, companyId, account, by)
  return { row, placed: getPlacement(account, row.id) }
}

/** Posts a payment: it closes the documents it names, then the oldest due; the rest is an advance. */
export const postPayment = (db: Db, companyId: number, posting: PostPaymentInput, by: string) =>
  transaction(db, async (tx): Promise<PaymentPlacement & { id: string; already: boolean }> => {
    if (!Number.isSafeInteger(posting.amount) || posting.amount <= 0)
      throw new RangeError('a payment is whole cents above zero')
    await lockAccounts(tx, companyId)
    const known = await findPostedPayment(tx, companyId, posting)
    if (known) {
      if (known.amount !== posting.amount || known.kind !== posting.kind)
        throw new AppError('conflict', {
          message: `Rien n’est enregistré\u00a0: ce paiement l’est déjà pour ${formatEuros(known.amount)}, et non ${formatEuros(posting.amount)}.`,
        })
      return {
        id: known.id,
        already: true,
        ...getPlacement(await loadPairAccount(tx, companyId, toPair(posting)), known.id),
      }
    }
    const { row, placed } = await insertPayment(tx, companyId, posting, by)
    if (row.kind === 'receipt')
      await recordEvent(tx, { companyId, name: 'payment.received', object: row.id, data: toReceivedEvent(row, placed) })
    return { id: row.id, already: false, ...placed }
  })

export type ReversePaymentInput = {
  paymentId: string
  kind: 'return' | 'undo'
  bookedOn: string
  source: string
  note?: string
}
type ReopenedDocuments = { invoiceId: string; amount: number }[]

async function loadPaymentRow(db: Db, companyId: number, id: string): Promise<PaymentRecord> {
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

export type RefundCreditInput = {
  pair: SellerBuyerPair
  amount: number
  of: { creditInvoiceId: string } | { creditPaymentId: string }
  bookedOn: string
  accountId: string | null
  method: PaymentMethod
  source: string
  note?: string
}

/** Refunds the rest of a credit note or advance, and never more. */
export const refundCredit = (db: Db, companyId: number, { pair, of, ...order }: RefundCreditInput, by: string) =>
  transaction(db, async (tx): Promise<{ id: string; already: boolean }> => {
    await lockAccounts(tx, companyId)
    const known = await findPostedPayment(tx, companyId, { ...pair, source: order.source })
    if (known) return { id: known.id, already: true }
    const account = await loadPairAccount(tx, companyId, pair)
    const creditId = 'creditInvoiceId' in of ? of.creditInvoiceId : of.creditPaymentId
    const credit = account.entries.find(({ id, side }) => id === creditId && side === 'credit')
    if (!credit) throw new AppError('not-found')
    const left = computeAccountOpenAmounts(account).get(creditId) ?? 0
    if (order.amount > left)
      throw new AppError('conflict', {
        message: `Rien n’est rendu\u00a0: il reste ${formatEuros(left)} à l’acheteur, et non ${formatEuros(order.amount)}.`,
      })
    await storePendingSetOffs(tx, companyId, account, by)
    const { sellerId, buyerId, clientSellerId } = pair
    const { amount, bookedOn, accountId, method, source, note = '' } = order
    const row = { companyId, id: crypto.randomUUID(), sellerId, buyerId, clientSellerId, kind: 'refund', amount }
    await tx.insert(payments).values({ ...row, bookedOn, accountId, method, source, note, createdBy: by })
    account.entries.push(toMoneyEntry({ ...row, bookedOn }))
    const closed = { debit: row.id, credit: creditId, amount, undoes: null }
    await storeMatches(tx, companyId, account, { added: [closed], by })
    return { id: row.id, already: false }
  })
