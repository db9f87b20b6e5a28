import type { Day } from '../calendar/days.ts'
import { type OffsetItem, offset } from './offset.ts'
import { byDue, settle } from './settle.ts'

/** What stands on the account of a seller and a buyer: a document, or money that moved. */
export type Entry = {
  readonly id: string
  readonly of: 'document' | 'money'
  readonly side: 'debit' | 'credit'
  /** What payers name; money has no number but its id. */
  readonly number: string
  /** When it is due; of money, the day it counts from. */
  readonly due: Day
  readonly amount: number
  /** The document that a credit note corrects. */
  readonly corrects: string | null
}
/** What of a credit closed what of a debit. */
export type NewMatch = {
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly undoes: string | null
}
export type Match = NewMatch & { readonly id: string }

/** What is left of each entry; it is the account of clients, whatever happened: every match takes the same of both sides. */
export function openOf(entries: readonly Entry[], matches: readonly NewMatch[]): Map<string, number> {
  const open = new Map(entries.map(({ id, amount }) => [id, amount]))
  for (const { debit, credit, amount } of matches)
    for (const id of [debit, credit]) open.set(id, (open.get(id) ?? 0) - amount)
  return open
}

/** What the buyer owes the seller; below zero where the seller owes. */
export const balanceOf = (entries: readonly Entry[], open: ReadonlyMap<string, number>): number =>
  entries.reduce((sum, { id, side }) => sum + (side === 'debit' ? 1 : -1) * (open.get(id) ?? 0), 0)

type Standing = { entries: readonly Entry[]; open: Map<string, number> }
const leftOf = ({ entries, open }: Standing, wanted: (entry: Entry) => boolean) =>
  entries.filter(wanted).flatMap((entry) => {
    const left = open.get(entry.id) ?? 0
    return left > 0 ? [{ ...entry, open: left }] : []
  })
const isDebit = ({ side }: Entry) => side === 'debit'
const isCreditNote = ({ side, of }: Entry) => side === 'credit' && of === 'document'

function spendCreditNotes(standing: Standing): NewMatch[] {
  const [debits, credits] = [leftOf(standing, isDebit), leftOf(standing, isCreditNote)]
  const named = new Map([...debits, ...credits].map(({ id, number }) => [number, id]))
  const numbers = new Map(standing.entries.map(({ id, number }) => [id, number]))
  const items: OffsetItem[] = [
    ...debits.map(({ number, due, open }) => ({ kind: 'invoice' as const, number, due, open })),
    ...credits.sort(byDue).map(({ number, corrects, open }) => ({
      kind: 'creditNote' as const,
      number,
      original: numbers.get(corrects ?? '') ?? '',
      open,
    })),
  ]
  return offset(items).moves.flatMap(({ credit, invoice, amount }) => {
    const [from, to] = [named.get(credit), invoice === null ? undefined : named.get(invoice)]
    return from && to ? [{ debit: to, credit: from, amount, undoes: null }] : []
  })
}

function spend(standing: Standing, credit: Entry, references: readonly string[]): NewMatch[] {
  const debits = leftOf(standing, isDebit)
  const ids = new Map(debits.map(({ id, number }) => [number, id]))
  const { allocations } = settle(debits, { amount: standing.open.get(credit.id) ?? 0, references })
  return allocations.flatMap(({ number, amount }) => {
    const debit = ids.get(number)
    return debit ? [{ debit, credit: credit.id, amount, undoes: null }] : []
  })
}

/** Takes what was matched from what is open, and hands it on. */
function taken({ open }: Standing, matches: NewMatch[]): NewMatch[] {
  for (const { debit, credit, amount } of matches)
    for (const id of [debit, credit]) open.set(id, (open.get(id) ?? 0) - amount)
  return matches
}

/** What is still to be matched: credit notes first, then advances, the oldest first. Nobody is owed while they owe. */
export function setOff(entries: readonly Entry[], matches: readonly NewMatch[]): NewMatch[] {
  const standing = { entries, open: openOf(entries, matches) }
  const advances = entries.filter(({ side, of }) => side === 'credit' && of === 'money').sort(byDue)
  return [
    ...taken(standing, spendCreditNotes(standing)),
    ...advances.flatMap((advance) => taken(standing, spend(standing, advance, []))),
  ]
}

/** A new payment: what was waiting is set off before it, then it closes what it names, then the oldest due. */
export function place(
  entries: readonly Entry[],
  matches: readonly NewMatch[],
  { credit, references }: { credit: Entry; references: readonly string[] },
): NewMatch[] {
  const before = setOff(entries, matches)
  const all = [...entries, credit]
  return [...before, ...spend({ entries: all, open: openOf(all, [...matches, ...before]) }, credit, references)]
}

/** The opposites of all that a credit closed: taken back, it reopens exactly that. */
export function takeBack(matches: readonly Match[], creditId: string): NewMatch[] {
  const undone = new Set(matches.map(({ undoes }) => undoes))
  return matches
    .filter(({ id, credit, undoes }) => credit === creditId && undoes === null && !undone.has(id))
    .map(({ id, debit, credit, amount }) => ({ debit, credit, amount: -amount, undoes: id }))
}
