import type { Account } from '@voisol/contract/invoice-views'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords } from '../../../db/list.ts'
import { invoices, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { loadPairAccounts, type PairAccount } from './entries.ts'
import { computeInvoiceTotals, computeOpenAmountsOfAccounts, getInvoiceState } from './ledger.ts'
import { invoiceScope } from './scope.ts'

/** What each buyer owes, largest amount first. */
export async function listBuyerBalances(db: Db, actor: Actor, q: string | undefined): Promise<Account[]> {
  const rows = await db
    .select({
      id: invoices.id,
      buyerId: sql<string>`${invoices.buyerId}`,
      kind: invoices.kind,
      dueOn: invoices.dueOn,
      issuedOn: invoices.issuedOn,
      net: invoices.net,
      tax: invoices.tax,
      gross: invoices.gross,
    })
    .from(invoices)
    .where(and(invoiceScope(actor), isNotNull(invoices.buyerId)))
  const pairAccounts = await loadPairAccounts(db, actor.companyId)
  const open = computeOpenAmountsOfAccounts(pairAccounts)
  const day = getToday()
  const documentsWithState = rows.map((row) => {
    const own = { ...row, open: open.get(row.id) ?? 0 }
    return { ...own, state: getInvoiceState(own, day) }
  })
  const names = await loadBuyerNames(db, actor.companyId, [...new Set(rows.map(({ buyerId }) => buyerId))], q)
  const accounts = [...Map.groupBy(documentsWithState, ({ buyerId }) => buyerId)].flatMap(([id, own]) => {
    const name = names.get(id)
    if (name === undefined) return []
    const { documents, gross: billed, open: left, overdue, credit } = computeInvoiceTotals(own, day)
    const money = sumOpenMoney(pairAccounts, id, open)
    const lastOn = own.reduce((last, { issuedOn }) => (issuedOn > last ? issuedOn : last), '')
    const owed = { open: left + money.debit, overdue, credit: credit + money.credit }
    return [{ buyer: { id, name }, documents, billed, ...owed, lastOn }]
  })
  return accounts.sort(
    (a, b) => b.overdue - a.overdue || b.open - a.open || a.buyer.name.localeCompare(b.buyer.name, 'fr'),
  )
}

/** What a buyer owes or is owed besides documents: charges and advances. */
function sumOpenMoney(pairAccounts: readonly PairAccount[], buyerId: string, open: ReadonlyMap<string, number>) {
  const left = { debit: 0, credit: 0 }
  for (const { pair, entries } of pairAccounts)
    if (pair.buyerId === buyerId)
      for (const { id, of, side } of entries) if (of === 'money') left[side] += open.get(id) ?? 0
  return left
}

async function loadBuyerNames(db: Db, companyId: number, ids: string[], q: string | undefined) {
  if (!ids.length) return new Map<string, string>()
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(
      and(
        eq(participants.companyId, companyId),
        inArray(participants.id, ids),
        matchesSearchWords(q, [participants.name]),
      ),
    )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
