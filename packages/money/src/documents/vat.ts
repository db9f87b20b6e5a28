import { percentOf } from '../tariff/amounts.ts'
import type { Category, Vat } from './lines.ts'

export type VatGroup = Vat & { readonly base: number; readonly tax: number }

const ORDER: readonly Category[] = ['S', 'E', 'O']
export const groupName = ({ category, rate }: Vat): string => `${category} ${rate}`
export const groupOrder = (a: Vat, b: Vat): number =>
  ORDER.indexOf(a.category) - ORDER.indexOf(b.category) || b.rate - a.rate

/** One group for each category and rate, its base the sum of what bears it. */
export function basesOf(parts: readonly (Vat & { amount: number })[]): (Vat & { base: number })[] {
  return [...Map.groupBy(parts, groupName).values()]
    .flatMap((group) => {
      const [first] = group
      const base = group.reduce((sum, { amount }) => sum + amount, 0)
      return first ? [{ category: first.category, rate: first.rate, base }] : []
    })
    .sort(groupOrder)
}

/** Tax on the sum of a group, never the sum of the taxes of its lines (BR-CO-17). */
export const vatGroups = (parts: readonly (Vat & { amount: number })[]): VatGroup[] =>
  basesOf(parts).map((group) => ({ ...group, tax: percentOf(group.base, group.rate) }))

/** The seller's mode on the last day of the month; a fee may have a rate of its own where VAT is charged at all. */
export function vatOf(mode: 'standard' | 'exempt' | 'outside' | 'elsewhere', rate: number): Vat {
  if (mode === 'standard') return { category: 'S', rate }
  return { category: mode === 'outside' ? 'O' : 'E', rate: 0 }
}
