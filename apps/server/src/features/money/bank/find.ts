import { type BankLine, type BankLineMatch, createBankLineMatcher, normalizeReference } from '@voisol/money/match'
import type { bankLines } from '../../../db/schema/index.ts'
import type { MatchingData } from './known.ts'
import { findProviderPayout, type MatchedProviderPayout } from './online-held.ts'

export type BankLineRow = typeof bankLines.$inferSelect
/** What a line tells of: money that pays, or a debit that came back. */
export type LineMatch =
  | { kind: 'paid'; found: BankLineMatch }
  | { kind: 'returned'; debitId: string; certain: boolean }
  | { kind: 'sent'; payoutIds: string[] }
  | { kind: 'online'; out: MatchedProviderPayout }

const toBankLine = (row: BankLineRow): BankLine => ({
  id: row.id,
  amount: row.amount,
  endToEndId: row.endToEndId,
  rum: row.rum,
  batchId: row.batchId,
  text: `${row.label} ${row.reference}`,
  account: row.partyPrint,
  name: row.party,
})

/** Money that went out under the bank's name of a debit of ours: it came back, with or without what the bank keeps for it. */
function matchReturnedDebit(row: BankLineRow, debits: MatchingData['debits']): LineMatch | null {
  const debit = row.endToEndId ? debits.get(row.endToEndId) : undefined
  if (!debit || debit.status === 'planned' || debit.status === 'cancelled') return null
  return { kind: 'returned', debitId: debit.id, certain: -row.amount - row.charge === debit.amount }
}

/** Money that went out as it was ordered: one transfer to a producer by its name, or all of a file by the file's. */
function matchPayouts(row: BankLineRow, payouts: MatchingData['payouts']): LineMatch | null {
  const text = normalizeReference(`${row.endToEndId} ${row.batchId} ${row.label} ${row.reference}`)
  const one = payouts.filter(
    ({ endToEndId, amount }) => amount === -row.amount && text.includes(normalizeReference(endToEndId)),
  )
  if (one.length === 1) return { kind: 'sent', payoutIds: one.map(({ id }) => id) }
  for (const [messageId, own] of Map.groupBy(payouts, (payout) => payout.messageId)) {
    const total = own.reduce((sum, { amount }) => sum + amount, 0)
    if (messageId && total === -row.amount && text.includes(normalizeReference(messageId)))
      return { kind: 'sent', payoutIds: own.map(({ id }) => id) }
  }
  return null
}

/** What is found of a line is exact enough to be posted by itself. */
export const isCertainMatch = (match: LineMatch): boolean => {
  if (match.kind === 'sent') return true
  if (match.kind === 'online') return false
  return match.kind === 'returned' ? match.certain : match.found.certain
}

/** Built once for many lines. */
export function createLineMatcher({
  known,
  debits,
  payouts,
  online,
}: MatchingData): (row: BankLineRow) => LineMatch | null {
  const find = createBankLineMatcher(known)
  return (row) => {
    if (row.amount < 0) return matchReturnedDebit(row, debits) ?? matchPayouts(row, payouts)
    const found = find(toBankLine(row))
    if (found) return { kind: 'paid', found }
    const out = findProviderPayout(row, online)
    return out && { kind: 'online', out }
  }
}

const MATCH_STEP_LABELS: Record<number, string> = {
  1: 'Référence de prélèvement',
  2: 'Mandat et montant',
  3: 'Numéro de facture dans le libellé',
  4: 'Compte connu et montant',
  5: 'Nom et montant',
}
/** By what it was found, in words. */
export const getMatchStepLabel = (step: number) => MATCH_STEP_LABELS[step] ?? ''
export { normalizeReference }
