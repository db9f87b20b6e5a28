import type { PaymentMethod, PostedKind } from '@voisol/contract/payment-words'
import { allocatePayment, computeOpenAmounts } from '@voisol/money/ledger'
import { and, eq, sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import {
  computeAccountOpenAmounts,
  isCreditKind,
  type PairAccount,
  type SellerBuyerPair,
  toMoneyEntry,
} from '../invoices/invoices.ts'
import { loadPairAccount, lockAccounts, storeMatches, storePendingSetOffs } from './accounts.ts'

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
export async function findPostedPayment(tx: Db, companyId: number, posting: SellerBuyerPair & { source: string }) {
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
