import type { Ageing, InvoiceState, InvoiceTotals } from '@voisol/contract/invoice-views'
import { daysBetween } from '@voisol/money/days'
import { computeOpenAmounts, type LedgerEntry, type LedgerMatch, matchOpenCredits } from '@voisol/money/ledger'
import { and, eq, inArray, ne, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, matches, payments } from '../../../db/schema/index.ts'

/** An account: what a buyer owes a seller. The buyer is a participant, or a producer that the organiser invoices. */
export type SellerBuyerPair = { sellerId: string; buyerId: string | null; clientSellerId: string | null }
const DOCUMENT_COLUMNS = {
  id: invoices.id,
  sellerId: invoices.sellerId,
  buyerId: invoices.buyerId,
  clientSellerId: invoices.clientSellerId,
  kind: invoices.kind,
  number: invoices.number,
  issuedOn: invoices.issuedOn,
  dueOn: invoices.dueOn,
  gross: invoices.gross,
  correctsId: invoices.correctsId,
}
export type DocumentRow = Pick<typeof invoices.$inferSelect, keyof typeof DOCUMENT_COLUMNS>
type MoneyRow = Pick<typeof payments.$inferSelect, 'id' | 'kind' | 'amount' | 'bookedOn'>
export type AccountEntry = LedgerEntry & { kind: string; bookedOn: string }
export type PairAccount = { pair: SellerBuyerPair; entries: AccountEntry[]; matches: LedgerMatch[] }

const CREDIT_KINDS = new Set(['receipt', 'writeOff', 'openingCredit'])
export const isCreditKind = (kind: string): boolean => CREDIT_KINDS.has(kind)

export const toDocumentEntry = ({
  id,
  kind,
  number,
  issuedOn,
  dueOn,
  gross,
  correctsId,
}: DocumentRow): AccountEntry => ({
  id,
  of: 'document',
  side: kind === 'creditNote' ? 'credit' : 'debit',
  number,
  due: dueOn,
  amount: gross,
  corrects: kind === 'creditNote' ? correctsId : null,
  kind,
  bookedOn: issuedOn,
})
export const toMoneyEntry = ({ id, kind, amount, bookedOn }: MoneyRow): AccountEntry => ({
  id,
  of: 'money',
  side: isCreditKind(kind) ? 'credit' : 'debit',
  number: id,
  due: bookedOn,
  amount,
  corrects: null,
  kind,
  bookedOn,
})

const getPairKey = ({ sellerId, buyerId, clientSellerId }: SellerBuyerPair) =>
  `${sellerId} ${buyerId ?? clientSellerId}`

/** Documents, payments and matches by seller and buyer, without documents that owe nothing. */
export function buildPairAccounts(
  documents: DocumentRow[],
  money: (MoneyRow & SellerBuyerPair)[],
  closed: LedgerMatch[],
): PairAccount[] {
  const accounts = new Map<string, PairAccount>()
  const accountByEntry = new Map<string, PairAccount>()
  const addEntry = (row: SellerBuyerPair, entry: AccountEntry) => {
    const { sellerId, buyerId, clientSellerId } = row
    const own = accounts.get(getPairKey(row)) ?? {
      pair: { sellerId, buyerId, clientSellerId },
      entries: [],
      matches: [],
    }
    accounts.set(getPairKey(row), own)
    own.entries.push(entry)
    accountByEntry.set(entry.id, own)
  }
  for (const row of documents) if (row.kind !== 'statement') addEntry(row, toDocumentEntry(row))
  for (const row of money) addEntry(row, toMoneyEntry(row))
  for (const match of closed) accountByEntry.get(match.debit)?.matches.push(match)
  return [...accounts.values()]
}

/** All accounts of a company, those of some buyers, of one seller, or a single account. */
type AccountFilter = { buyerIds?: string[] | undefined; sellerId?: string; pair?: SellerBuyerPair }

type OwnedTable = Pick<typeof invoices, 'companyId' | 'sellerId' | 'buyerId' | 'clientSellerId'>
function buildAccountFilter(
  table: OwnedTable | typeof payments,
  companyId: number,
  { buyerIds, sellerId, pair }: AccountFilter,
) {
  const seller = pair?.sellerId ?? sellerId
  return and(
    eq(table.companyId, companyId),
    seller === undefined ? undefined : eq(table.sellerId, seller),
    pair?.buyerId ? eq(table.buyerId, pair.buyerId) : undefined,
    pair?.clientSellerId ? eq(table.clientSellerId, pair.clientSellerId) : undefined,
    buyerIds && inArray(table.buyerId, buyerIds),
  )
}

async function loadMatches(db: Db, companyId: number, filter: AccountFilter): Promise<LedgerMatch[]> {
  const own: SQL | undefined =
    Object.keys(filter).length === 0
      ? undefined
      : or(
          inArray(
            matches.debitInvoiceId,
            db
              .select({ id: invoices.id })
              .from(invoices)
              .where(buildAccountFilter(invoices, companyId, filter)),
          ),
          inArray(
            matches.debitPaymentId,
            db
              .select({ id: payments.id })
              .from(payments)
              .where(buildAccountFilter(payments, companyId, filter)),
          ),
        )
  const rows = await db
    .select()
    .from(matches)
    .where(and(eq(matches.companyId, companyId), own))
  return rows.map(({ id, amount, undoesId, ...row }) => ({
    id,
    debit: row.debitInvoiceId ?? row.debitPaymentId ?? '',
    credit: row.creditInvoiceId ?? row.creditPaymentId ?? '',
    amount,
    undoes: undoesId,
  }))
}

export async function loadPairAccounts(db: Db, companyId: number, filter: AccountFilter = {}): Promise<PairAccount[]> {
  const documents = await db
    .select(DOCUMENT_COLUMNS)
    .from(invoices)
    .where(and(buildAccountFilter(invoices, companyId, filter), ne(invoices.kind, 'statement')))
  const money = await db
    .select()
    .from(payments)
    .where(buildAccountFilter(payments, companyId, filter))
  return buildPairAccounts(documents, money, await loadMatches(db, companyId, filter))
}

/** The open amount by document or payment. */
export type OpenAmounts = ReadonlyMap<string, number>

/** Stored matches, and those the next posting would make, so that reads before and after it agree. */
export const listAccountMatches = ({ entries, matches }: Omit<PairAccount, 'pair'>) => [
  ...matches,
  ...matchOpenCredits(entries, matches),
]

export const computeAccountOpenAmounts = (account: Omit<PairAccount, 'pair'>): Map<string, number> =>
  computeOpenAmounts(account.entries, listAccountMatches(account))

export const computeOpenAmountsOfAccounts = (accounts: readonly PairAccount[]): OpenAmounts =>
  new Map(accounts.flatMap((account) => [...computeAccountOpenAmounts(account)]))

/**
 * Open amounts of all documents of a company or of some buyers: a credit note may settle a document outside a narrower
 * list.
 */
export const loadOpenAmounts = async (db: Db, companyId: number, buyerIds?: string[]): Promise<OpenAmounts> =>
  computeOpenAmountsOfAccounts(await loadPairAccounts(db, companyId, buyerIds ? { buyerIds } : {}))

type OpenDocument = { kind: string; dueOn: string; open: number }

export function getInvoiceState({ kind, dueOn, open }: OpenDocument, today: string): InvoiceState {
  if (kind === 'statement') return 'told'
  if (open === 0) return 'settled'
  if (kind === 'creditNote') return 'credit'
  return dueOn < today ? 'overdue' : 'due'
}

const getAgeingBucket = (dueOn: string, today: string): keyof Ageing => {
  const daysLate = daysBetween(dueOn, today)
  if (daysLate <= 0) return 'notDue'
  if (daysLate <= 30) return 'upTo30'
  return daysLate <= 60 ? 'upTo60' : 'over60'
}

type SummedDocument = { kind: string; net: number; tax: number; gross: number; wh?: number }
const SIGN_BY_KIND: Record<string, { money: number; energy: number }> = {
  creditNote: { money: -1, energy: -1 },
  // It reports energy that nobody pays for.
  statement: { money: 0, energy: 1 },
}
const DEFAULT_SIGN = { money: 1, energy: 1 }

/** Sums documents the same way everywhere: a credit note is subtracted. */
export function sumDocuments(rows: readonly SummedDocument[]) {
  const totals = { wh: 0, net: 0, tax: 0, gross: 0 }
  for (const { kind, wh = 0, net, tax, gross } of rows) {
    const { money, energy } = SIGN_BY_KIND[kind] ?? DEFAULT_SIGN
    totals.wh += energy * wh
    totals.net += money * net
    totals.tax += money * tax
    totals.gross += money * gross
  }
  return totals
}

type CountedDocument = OpenDocument & { net: number; tax: number; gross: number; state: InvoiceState }

/** Totals of a list of documents, and their open amounts. */
export function computeInvoiceTotals(rows: readonly CountedDocument[], today: string): InvoiceTotals {
  const ageing: Ageing = { notDue: 0, upTo30: 0, upTo60: 0, over60: 0 }
  const { net, tax, gross } = sumDocuments(rows)
  const totals = { documents: rows.length, net, tax, gross, open: 0, overdue: 0, credit: 0 }
  for (const row of rows) {
    if (row.state === 'credit') totals.credit += row.open
    if (row.state !== 'due' && row.state !== 'overdue') continue
    totals.open += row.open
    if (row.state === 'overdue') totals.overdue += row.open
    ageing[getAgeingBucket(row.dueOn, today)] += row.open
  }
  return { ...totals, ageing }
}
