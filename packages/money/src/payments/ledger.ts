import type { Day } from '../calendar/days.ts'
import { compareByDue, type OffsetItem, offsetCreditNotes, settleOpenItems } from './settlement.ts'

/** An entry on the account of a buyer with a seller: a document, or money that moved. */
export type LedgerEntry = {
  readonly id: string
  readonly of: 'document' | 'money'
  readonly side: 'debit' | 'credit'
  /** The number that payers quote; money has its id instead. */
  readonly number: string
  /** The due date; for money, its value date. */
  readonly due: Day
  readonly amount: number
  /** The document that a credit note corrects. */
  readonly corrects: string | null
}
/** The part of a credit that was matched with a debit. */
export type NewLedgerMatch = {
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly undoes: string | null
}
export type LedgerMatch = NewLedgerMatch & { readonly id: string }

/**
 * What is left of each entry. Their sum is always the balance of the customer: every match takes the same from both
 * sides.
 */
export function computeOpenAmounts(
  entries: readonly LedgerEntry[],
  matches: readonly NewLedgerMatch[],
): Map<string, number> {
  const open = new Map(entries.map(({ id, amount }) => [id, amount]))
  for (const { debit, credit, amount } of matches)
    for (const id of [debit, credit]) open.set(id, (open.get(id) ?? 0) - amount)
  return open
}

/** What the buyer owes the seller; negative where the seller owes the buyer. */
export const computeBalance = (entries: readonly LedgerEntry[], open: ReadonlyMap<string, number>): number =>
  entries.reduce((sum, { id, side }) => sum + (side === 'debit' ? 1 : -1) * (open.get(id) ?? 0), 0)

type LedgerState = { entries: readonly LedgerEntry[]; open: Map<string, number> }
const listOpenEntries = ({ entries, open }: LedgerState, wanted: (entry: LedgerEntry) => boolean) =>
  entries.filter(wanted).flatMap((entry) => {
    const left = open.get(entry.id) ?? 0
    return left > 0 ? [{ ...entry, open: left }] : []
  })
const isDebit = ({ side }: LedgerEntry) => side === 'debit'
const isCreditNote = ({ side, of }: LedgerEntry) => side === 'credit' && of === 'document'

function matchCreditNotes(standing: LedgerState): NewLedgerMatch[] {
  const [debits, credits] = [listOpenEntries(standing, isDebit), listOpenEntries(standing, isCreditNote)]
  const named = new Map([...debits, ...credits].map(({ id, number }) => [number, id]))
  const numbers = new Map(standing.entries.map(({ id, number }) => [id, number]))
  const items: OffsetItem[] = [
    ...debits.map(({ number, due, open }) => ({ kind: 'invoice' as const, number, due, open })),
    ...credits.sort(compareByDue).map(({ number, corrects, open }) => ({
      kind: 'creditNote' as const,
      number,
      original: numbers.get(corrects ?? '') ?? '',
      open,
    })),
  ]
  return offsetCreditNotes(items).moves.flatMap(({ credit, invoice, amount }) => {
    const [from, to] = [named.get(credit), invoice === null ? undefined : named.get(invoice)]
    return from && to ? [{ debit: to, credit: from, amount, undoes: null }] : []
  })
}

function matchCredit(standing: LedgerState, credit: LedgerEntry, references: readonly string[]): NewLedgerMatch[] {
  const debits = listOpenEntries(standing, isDebit)
  const ids = new Map(debits.map(({ id, number }) => [number, id]))
  const { allocations } = settleOpenItems(debits, { amount: standing.open.get(credit.id) ?? 0, references })
  return allocations.flatMap(({ number, amount }) => {
    const debit = ids.get(number)
    return debit ? [{ debit, credit: credit.id, amount, undoes: null }] : []
  })
}

/** Subtracts the matches from the open amounts and returns them. */
function applyMatches({ open }: LedgerState, matches: NewLedgerMatch[]): NewLedgerMatch[] {
  for (const { debit, credit, amount } of matches)
    for (const id of [debit, credit]) open.set(id, (open.get(id) ?? 0) - amount)
  return matches
}

/**
 * The matches still to make: credit notes first, then advances, the oldest first, so that no credit stays open beside a
 * debt.
 */
export function matchOpenCredits(
  entries: readonly LedgerEntry[],
  matches: readonly NewLedgerMatch[],
): NewLedgerMatch[] {
  const standing = { entries, open: computeOpenAmounts(entries, matches) }
  const advances = entries.filter(({ side, of }) => side === 'credit' && of === 'money').sort(compareByDue)
  return [
    ...applyMatches(standing, matchCreditNotes(standing)),
    ...advances.flatMap((advance) => applyMatches(standing, matchCredit(standing, advance, []))),
  ]
}

/** A new payment: earlier credits are offset before it, then it pays what it names, then the oldest due. */
export function allocatePayment(
  entries: readonly LedgerEntry[],
  matches: readonly NewLedgerMatch[],
  { credit, references }: { credit: LedgerEntry; references: readonly string[] },
): NewLedgerMatch[] {
  const before = matchOpenCredits(entries, matches)
  const all = [...entries, credit]
  return [
    ...before,
    ...matchCredit({ entries: all, open: computeOpenAmounts(all, [...matches, ...before]) }, credit, references),
  ]
}

/** The opposites of all matches of a credit, which reopen exactly what it had paid. */
export function reverseMatches(matches: readonly LedgerMatch[], creditId: string): NewLedgerMatch[] {
  const undone = new Set(matches.map(({ undoes }) => undoes))
  return matches
    .filter(({ id, credit, undoes }) => credit === creditId && undoes === null && !undone.has(id))
    .map(({ id, debit, credit, amount }) => ({ debit, credit, amount: -amount, undoes: id }))
}
