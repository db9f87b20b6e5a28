import { type BankLine, type BankLineMatch, createBankLineMatcher, normalizeReference } from '@voisol/money/match'
import type { bankLines } from '../../../db/schema/index.ts'
import type { MatchingData } from './known.ts'
import { findProviderPayout, type MatchedProviderPayout } from './online-held.ts'

export type BankLineRow = typeof bankLines.$inferSelect
/** What a bank line stands for: a payment, a returned debit, payouts that were sent, or a provider's payout. */
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

/** Money that left under the end-to-end id of one of our debits: the debit came back, possibly with the bank's fee. */
function matchReturnedDebit(row: BankLineRow, debits: MatchingData['debits']): LineMatch | null {
  const debit = row.endToEndId ? debits.get(row.endToEndId) : undefined
  if (!debit || debit.status === 'planned' || debit.status === 'cancelled') return null
  return { kind: 'returned', debitId: debit.id, certain: -row.amount - row.charge === debit.amount }
}

/** Transfers to producers that left the account: one by its end-to-end id, or a whole file by the file's batch id. */
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

/** Whether a match is exact enough to be posted without a person's confirmation. */
export const isCertainMatch = (match: LineMatch): boolean => {
  if (match.kind === 'sent') return true
  if (match.kind === 'online') return false
  return match.kind === 'returned' ? match.certain : match.found.certain
}

/** Builds the matcher once so that many lines can share its indexes. */
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
/** The label of the matching step that found the documents. */
export const getMatchStepLabel = (step: number) => MATCH_STEP_LABELS[step] ?? ''
export { normalizeReference }
