import { type BankLine, bare, type Found, matcher } from '@voisol/money/match'
import type { bankLines } from '../../../db/schema/index.ts'
import type { KnownOf } from './known.ts'

export type LineRow = typeof bankLines.$inferSelect
/** What a line tells of: money that pays, or a debit that came back. */
export type Finding = { kind: 'paid'; found: Found } | { kind: 'returned'; debitId: string; certain: boolean }

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

/** Built once for many lines. */
export function finder({ known, debits }: KnownOf): (row: LineRow) => Finding | null {
  const find = matcher(known)
  return (row) => {
    if (row.amount < 0) return returned(row, debits)
    const found = find(asLine(row))
    return found && { kind: 'paid', found }
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
