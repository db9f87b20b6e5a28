import type { Day } from '../calendar/days.ts'
import { compareByDue } from './settle.ts'

export type OffsetItem =
  | { readonly kind: 'invoice'; readonly number: string; readonly due: Day; readonly open: number }
  | { readonly kind: 'creditNote'; readonly number: string; readonly original: string; readonly open: number }
/** Without an invoice, the credit stays with the buyer: an advance, or a refund. */
export type OffsetMove = { credit: string; invoice: string | null; amount: number }

/** Offsets credit notes against invoices: each against its own original first, then the oldest due. */
export function offsetCreditNotes(items: readonly OffsetItem[]): { moves: OffsetMove[]; open: Record<string, number> } {
  const invoices = items.filter((item) => item.kind === 'invoice').sort(compareByDue)
  const credits = items.filter((item) => item.kind === 'creditNote')
  const left = new Map(items.map(({ number, open }) => [number, open]))
  const moves: OffsetMove[] = []
  const move = (credit: string, invoice: string) => {
    const amount = Math.min(left.get(credit) ?? 0, left.get(invoice) ?? 0)
    if (amount <= 0) return
    moves.push({ credit, invoice, amount })
    for (const number of [credit, invoice]) left.set(number, (left.get(number) ?? 0) - amount)
  }
  // Originals first: no credit note is used on an invoice before the credit notes of that invoice.
  for (const { number, original } of credits)
    if (invoices.some((item) => item.number === original)) move(number, original)
  for (const { number } of credits) {
    for (const invoice of invoices) move(number, invoice.number)
    const amount = left.get(number) ?? 0
    if (amount > 0) moves.push({ credit: number, invoice: null, amount })
  }
  const open = invoices.flatMap(({ number }): [string, number][] => {
    const amount = left.get(number) ?? 0
    return amount > 0 ? [[number, amount]] : []
  })
  return { moves, open: Object.fromEntries(open) }
}
