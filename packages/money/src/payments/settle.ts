import type { Day } from '../calendar/days.ts'
import { byText } from '../numbers/order.ts'

export type OpenItem = { readonly number: string; readonly due: Day; readonly open: number }
export type Payment = { readonly amount: number; readonly references: readonly string[] }
export type Allocation = { number: string; amount: number }
export type Settlement = { allocations: Allocation[]; advance: number }

/** The oldest due first, then by number. */
export const byDue = (a: Pick<OpenItem, 'due' | 'number'>, b: Pick<OpenItem, 'due' | 'number'>): number =>
  byText(a.due, b.due) || byText(a.number, b.number)

/** The documents a payment names, in its order, then the oldest due; what is left is an advance. */
export function settle(items: readonly OpenItem[], { amount, references }: Payment): Settlement {
  const named = [...new Set(references)].flatMap((number) => items.filter((item) => item.number === number))
  const others = items.filter((item) => !named.includes(item)).sort(byDue)
  const allocations: Allocation[] = []
  let left = amount
  for (const { number, open } of [...named, ...others]) {
    const part = Math.min(left, open)
    if (part <= 0) continue
    allocations.push({ number, amount: part })
    left -= part
  }
  return { allocations, advance: left }
}

/** A returned payment opens exactly what it had paid. */
export function reopen(items: readonly OpenItem[], { allocations }: Settlement): OpenItem[] {
  return items.map((item) => ({
    ...item,
    open: allocations
      .filter(({ number }) => number === item.number)
      .reduce((open, { amount }) => open + amount, item.open),
  }))
}
