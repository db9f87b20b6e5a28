import type { LedgerEntry, LedgerMatch } from '@voisol/money/ledger'
import { and, eq, inArray, ne, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, matches, payments } from '../../../db/schema/index.ts'

/** An account: what a buyer owes a seller. The buyer is a participant, or a producer that the organiser invoices. */
export type SellerBuyerPair = { sellerId: string; buyerId: string | null; clientSellerId: string | null }
export const DOCUMENT_COLUMNS = {
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
export type MoneyRow = Pick<typeof payments.$inferSelect, 'id' | 'kind' | 'amount' | 'bookedOn'>
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
export type AccountFilter = { buyerIds?: string[] | undefined; sellerId?: string; pair?: SellerBuyerPair }

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
