import type { NewLedgerMatch } from '@voisol/money/ledger'
import { matchOpenCredits } from '@voisol/money/ledger'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches } from '../../../db/schema/index.ts'
import { type AccountEntry, loadPairAccounts, type PairAccount, type SellerBuyerPair } from '../invoices/invoices.ts'

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

/** Stores the pending matches of an account: credit notes first, then advances. A second call finds nothing. */
export async function storePendingSetOffs(tx: Db, companyId: number, account: PairAccount, by: string) {
  await storeMatches(tx, companyId, account, { added: matchOpenCredits(account.entries, account.matches), by })
}
