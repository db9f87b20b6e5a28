import { applyBasisPoints } from '../tariff/amounts.ts'
import type { DocumentLine, VatRate } from './lines.ts'

export type Allowance = VatRate & {
  readonly id: string
  readonly amount: number
  /** The base: all energy of the document, less earlier allowances. */
  readonly base: number
  readonly left: number
  readonly percentBp: number | null
  readonly asked: number
}
type DiscountTerms = { readonly id: string; readonly percentBp?: number; readonly amount?: number }

/** On energy alone: each percentage on the full base, in order, and together never above it. */
export function computeAllowances(lines: readonly DocumentLine[], discounts: readonly DiscountTerms[]): Allowance[] {
  const energy = lines.filter(({ kind }) => kind === 'energy')
  const [first] = energy
  if (!first) return []
  const base = energy.reduce((sum, { net }) => sum + net, 0)
  const allowances: Allowance[] = []
  let left = base
  for (const { id, percentBp = null, amount: fixed = 0 } of discounts) {
    const asked = percentBp === null ? fixed : applyBasisPoints(base, percentBp)
    const amount = Math.min(asked, left)
    if (amount === 0) continue
    allowances.push({ id, amount, category: first.category, rate: first.rate, base, left, percentBp, asked })
    left -= amount
  }
  return allowances
}
