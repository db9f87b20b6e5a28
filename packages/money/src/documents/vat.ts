import { applyBasisPoints } from '../tariff/amounts.ts'
import type { VatCategoryCode, VatRate } from './lines.ts'

export type VatGroup = VatRate & { readonly base: number; readonly tax: number }

const CATEGORY_ORDER: readonly VatCategoryCode[] = ['S', 'E', 'O']
export const getVatGroupKey = ({ category, rate }: VatRate): string => `${category} ${rate}`
export const compareVatGroups = (a: VatRate, b: VatRate): number =>
  CATEGORY_ORDER.indexOf(a.category) - CATEGORY_ORDER.indexOf(b.category) || b.rate - a.rate

/** One group for each category and rate; its base is the sum of its parts. */
export function computeVatBases(parts: readonly (VatRate & { amount: number })[]): (VatRate & { base: number })[] {
  return [...Map.groupBy(parts, getVatGroupKey).values()]
    .flatMap((group) => {
      const [first] = group
      const base = group.reduce((sum, { amount }) => sum + amount, 0)
      return first ? [{ category: first.category, rate: first.rate, base }] : []
    })
    .sort(compareVatGroups)
}

/** Tax on the sum of a group, never the sum of the taxes of its lines (BR-CO-17). */
export const computeVatGroups = (parts: readonly (VatRate & { amount: number })[]): VatGroup[] =>
  computeVatBases(parts).map((group) => ({ ...group, tax: applyBasisPoints(group.base, group.rate) }))

/**
 * The VAT of the seller's mode on the last day of the month; a fee may have its own rate where VAT is charged at all.
 */
export function getVatRate(mode: 'standard' | 'exempt' | 'outside' | 'elsewhere', rate: number): VatRate {
  if (mode === 'standard') return { category: 'S', rate }
  return { category: mode === 'outside' ? 'O' : 'E', rate: 0 }
}
