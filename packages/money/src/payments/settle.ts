import type { Day } from '../calendar/days.ts'
import { compareText } from '../numbers/order.ts'

export type OpenItem = { readonly number: string; readonly due: Day; readonly open: number }
export type IncomingPayment = { readonly amount: number; readonly references: readonly string[] }
export type PaymentAllocation = { number: string; amount: number }
export type PaymentSettlement = { allocations: PaymentAllocation[]; advance: number }

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
