import { type BankLine, bare, type Found, matcher } from '@voisol/money/match'
import type { bankLines } from '../../../db/schema/index.ts'
import type { KnownOf } from './known.ts'
import { type OnlinePayout, paidOut } from './online-held.ts'

export type LineRow = typeof bankLines.$inferSelect
/** What a line tells of: money that pays, or a debit that came back. */
export type Finding =
  | { kind: 'paid'; found: Found }
  | { kind: 'returned'; debitId: string; certain: boolean }
  | { kind: 'sent'; payoutIds: string[] }
  | { kind: 'online'; out: OnlinePayout }

const asLine = (row: LineRow): BankLine => ({
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
function returned(row: LineRow, debits: KnownOf['debits']): Finding | null {
  const debit = row.endToEndId ? debits.get(row.endToEndId) : undefined
  if (!debit || debit.status === 'planned' || debit.status === 'cancelled') return null
  return { kind: 'returned', debitId: debit.id, certain: -row.amount - row.charge === debit.amount }
}

/** Money that went out as it was ordered: one transfer to a producer by its name, or all of a file by the file's. */
function sent(row: LineRow, payouts: KnownOf['payouts']): Finding | null {
  const text = bare(`${row.endToEndId} ${row.batchId} ${row.label} ${row.reference}`)
  const one = payouts.filter(({ endToEndId, amount }) => amount === -row.amount && text.includes(bare(endToEndId)))
  if (one.length === 1) return { kind: 'sent', payoutIds: one.map(({ id }) => id) }
  for (const [messageId, own] of Map.groupBy(payouts, (payout) => payout.messageId)) {
    const total = own.reduce((sum, { amount }) => sum + amount, 0)
    if (messageId && total === -row.amount && text.includes(bare(messageId)))
      return { kind: 'sent', payoutIds: own.map(({ id }) => id) }
  }
  return null
}

/** What is found of a line is exact enough to be posted by itself. */
export const isCertain = (finding: Finding): boolean => {
  if (finding.kind === 'sent') return true
  if (finding.kind === 'online') return false
  return finding.kind === 'returned' ? finding.certain : finding.found.certain
}

/** Built once for many lines. */
export function finder({ known, debits, payouts, online }: KnownOf): (row: LineRow) => Finding | null {
  const find = matcher(known)
  return (row) => {
    if (row.amount < 0) return returned(row, debits) ?? sent(row, payouts)
    const found = find(asLine(row))
    if (found) return { kind: 'paid', found }
    const out = paidOut(row, online)
    return out && { kind: 'online', out }
  }
}

const HOW: Record<number, string> = {
  1: 'Référence de prélèvement',
  2: 'Mandat et montant',
  3: 'Numéro de facture dans le libellé',
  4: 'Compte connu et montant',
  5: 'Nom et montant',
}
/** By what it was found, in words. */
export const howFound = (step: number) => HOW[step] ?? ''
export { bare }
