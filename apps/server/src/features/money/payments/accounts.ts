import type { NewLedgerMatch } from '@voisol/money/ledger'
import { matchOpenCredits } from '@voisol/money/ledger'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches } from '../../../db/schema/index.ts'
import { type AccountEntry, loadPairAccounts, type PairAccount, type SellerBuyerPair } from '../invoices/invoices.ts'

/**
 * One who writes on accounts at a time in a company, and before anything is told: a lock for each account would wait in
 * a ring with the head of the events, where one call posts to several.
 */
export const lockAccounts = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`accounts ${companyId}`}, 0))`)

export async function loadPairAccount(db: Db, companyId: number, pair: SellerBuyerPair): Promise<PairAccount> {
  const [account] = await loadPairAccounts(db, companyId, { pair })
  return account ?? { pair, entries: [], matches: [] }
}

const getLaterDay = (a: string, b: string) => (a > b ? a : b)

/** Adds to an account what closes what, from the day on which both are there, or on that of what takes it back. */
export async function storeMatches(
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

/** Stores what is to be set off on an account: credit notes first, then advances. Told again, there is nothing left. */
export async function storePendingSetOffs(tx: Db, companyId: number, account: PairAccount, by: string) {
  await storeMatches(tx, companyId, account, { added: matchOpenCredits(account.entries, account.matches), by })
}
