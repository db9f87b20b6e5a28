import type { Entry, Match } from '@voisol/money/ledger'
import { and, eq, inArray, ne, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, matches, payments } from '../../../db/schema/index.ts'

/** An account: what a buyer owes a seller. The buyer is a participant, or a producer whom the organiser invoices. */
export type Pair = { sellerId: string; buyerId: string | null; clientSellerId: string | null }
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
export type AccountEntry = Entry & { kind: string; bookedOn: string }
export type PairAccount = { pair: Pair; entries: AccountEntry[]; matches: Match[] }

const CREDITS = new Set(['receipt', 'writeOff', 'openingCredit'])
export const isCredit = (kind: string): boolean => CREDITS.has(kind)

export const documentEntry = ({ id, kind, number, issuedOn, dueOn, gross, correctsId }: DocumentRow): AccountEntry => ({
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
export const moneyEntry = ({ id, kind, amount, bookedOn }: MoneyRow): AccountEntry => ({
  id,
  of: 'money',
  side: isCredit(kind) ? 'credit' : 'debit',
  number: id,
  due: bookedOn,
  amount,
  corrects: null,
  kind,
  bookedOn,
})

const keyOf = ({ sellerId, buyerId, clientSellerId }: Pair) => `${sellerId} ${buyerId ?? clientSellerId}`

/** Documents, money and what closed what, by seller and buyer; what owes nothing stands on no account. */
export function accountsOf(documents: DocumentRow[], money: (MoneyRow & Pair)[], closed: Match[]): PairAccount[] {
  const accounts = new Map<string, PairAccount>()
  const whose = new Map<string, PairAccount>()
  const put = (row: Pair, entry: AccountEntry) => {
    const { sellerId, buyerId, clientSellerId } = row
    const own = accounts.get(keyOf(row)) ?? { pair: { sellerId, buyerId, clientSellerId }, entries: [], matches: [] }
    accounts.set(keyOf(row), own)
    own.entries.push(entry)
    whose.set(entry.id, own)
  }
  for (const row of documents) if (row.kind !== 'statement') put(row, documentEntry(row))
  for (const row of money) put(row, moneyEntry(row))
  for (const match of closed) whose.get(match.debit)?.matches.push(match)
  return [...accounts.values()]
}

/** All accounts of a company, those of some buyers, of one seller, or one account. */
export type Whose = { buyerIds?: string[] | undefined; sellerId?: string; pair?: Pair }

type Owner = Pick<typeof invoices, 'companyId' | 'sellerId' | 'buyerId' | 'clientSellerId'>
function whoseRows(table: Owner | typeof payments, companyId: number, { buyerIds, sellerId, pair }: Whose) {
  const seller = pair?.sellerId ?? sellerId
  return and(
    eq(table.companyId, companyId),
    seller === undefined ? undefined : eq(table.sellerId, seller),
    pair?.buyerId ? eq(table.buyerId, pair.buyerId) : undefined,
    pair?.clientSellerId ? eq(table.clientSellerId, pair.clientSellerId) : undefined,
    buyerIds && inArray(table.buyerId, buyerIds),
  )
}

async function matchesOf(db: Db, companyId: number, whose: Whose): Promise<Match[]> {
  const own: SQL | undefined =
    Object.keys(whose).length === 0
      ? undefined
      : or(
          inArray(
            matches.debitInvoiceId,
            db
              .select({ id: invoices.id })
              .from(invoices)
              .where(whoseRows(invoices, companyId, whose)),
          ),
          inArray(
            matches.debitPaymentId,
            db
              .select({ id: payments.id })
              .from(payments)
              .where(whoseRows(payments, companyId, whose)),
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

export async function readAccounts(db: Db, companyId: number, whose: Whose = {}): Promise<PairAccount[]> {
  const documents = await db
    .select(DOCUMENT_COLUMNS)
    .from(invoices)
    .where(and(whoseRows(invoices, companyId, whose), ne(invoices.kind, 'statement')))
  const money = await db
    .select()
    .from(payments)
    .where(whoseRows(payments, companyId, whose))
  return accountsOf(documents, money, await matchesOf(db, companyId, whose))
}
