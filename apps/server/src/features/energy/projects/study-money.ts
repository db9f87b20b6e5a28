import type { Study } from '@voisol/contract/projects'
import { energyCents as cents } from '@voisol/money/amounts'
import type { StudyInputs } from './study-inputs.ts'

type Prices = StudyInputs['project']

/** What somebody no longer pays to the supplier, less what is paid for the local energy. */
export const savingsOf = (allocated: number, { gridPrice, localPrice }: Prices) =>
  cents(allocated, gridPrice) - cents(allocated, localPrice)

export function moneyOf(
  { allocated, surplus, watts }: { allocated: number; surplus: number; watts: number },
  prices: Prices,
): Pick<Study, 'investmentCents' | 'incomeCents' | 'payback'> {
  const investmentCents = Math.round((watts * prices.investmentPerKwc) / 1000)
  const incomeCents = cents(allocated, prices.localPrice) + cents(surplus, prices.surplusPrice)
  const kept = incomeCents - prices.yearlyCosts
  const payback = kept > 0 ? Math.round((investmentCents / kept) * 10) / 10 : null
  return { investmentCents, incomeCents, payback }
}
