import type { Day } from '../calendar/days.ts'
import { compareText } from '../numbers/exact-numbers.ts'

export type OpenItem = { readonly number: string; readonly due: Day; readonly open: number }
export type IncomingPayment = { readonly amount: number; readonly references: readonly string[] }
type PaymentAllocation = { number: string; amount: number }
type PaymentSettlement = { allocations: PaymentAllocation[]; advance: number }

/** The oldest due first, then by number. */
export const compareByDue = (a: Pick<OpenItem, 'due' | 'number'>, b: Pick<OpenItem, 'due' | 'number'>): number =>
  compareText(a.due, b.due) || compareText(a.number, b.number)

/** Pays the documents that a payment names, in its order, then the oldest due; the rest is an advance. */
export function settleOpenItems(
  items: readonly OpenItem[],
  { amount, references }: IncomingPayment,
): PaymentSettlement {
  const named = [...new Set(references)].flatMap((number) => items.filter((item) => item.number === number))
  const others = items.filter((item) => !named.includes(item)).sort(compareByDue)
  const allocations: PaymentAllocation[] = []
  let left = amount
  for (const { number, open } of [...named, ...others]) {
    const part = Math.min(left, open)
    if (part <= 0) continue
    allocations.push({ number, amount: part })
    left -= part
  }
  return { allocations, advance: left }
}

/** A returned payment reopens exactly what it had paid. */
export function reopenItems(items: readonly OpenItem[], { allocations }: PaymentSettlement): OpenItem[] {
  return items.map((item) => ({
    ...item,
    open: allocations
      .filter(({ number }) => number === item.number)
      .reduce((open, { amount }) => open + amount, item.open),
  }))
}

export type OffsetItem =
  | { readonly kind: 'invoice'; readonly number: string; readonly due: Day; readonly open: number }
  | { readonly kind: 'creditNote'; readonly number: string; readonly original: string; readonly open: number }
/** Without an invoice, the credit stays with the buyer: an advance, or a refund. */
type OffsetMove = { credit: string; invoice: string | null; amount: number }

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
