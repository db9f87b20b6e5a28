import type { Study } from '@voisol/contract/projects'
import { computeEnergyCents as cents } from '@voisol/money/amounts'
import type { StudyInputs } from './study-inputs.ts'

type StudyPrices = StudyInputs['project']

/** What is no longer paid to the supplier, minus what is paid for local energy. */
export const computeSavingsCents = (allocated: number, { gridPrice, localPrice }: StudyPrices) =>
  cents(allocated, gridPrice) - cents(allocated, localPrice)

export function computeProfitability(
  { allocated, surplus, watts }: { allocated: number; surplus: number; watts: number },
  prices: StudyPrices,
): Pick<Study, 'investmentCents' | 'incomeCents' | 'payback'> {
  const investmentCents = Math.round((watts * prices.investmentPerKwc) / 1000)
  const incomeCents = cents(allocated, prices.localPrice) + cents(surplus, prices.surplusPrice)
  const yearlyGain = incomeCents - prices.yearlyCosts
  const payback = yearlyGain > 0 ? Math.round((investmentCents / yearlyGain) * 10) / 10 : null
  return { investmentCents, incomeCents, payback }
}
