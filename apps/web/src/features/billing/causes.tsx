import type { MonthDifference } from '@voisol/contract/billing-documents'
import { formatSignedMoney, MONTH_DIFFERENCE_CAUSES, sumMonthDifference } from '../../lib/billing-labels.ts'
import { formatMoney } from '../../lib/format.ts'

/** In one sentence why a document differs from the month before. */
export function DifferenceCauses({ difference, before }: { difference: MonthDifference; before: number }) {
  const changedCauses = MONTH_DIFFERENCE_CAUSES.filter(({ name }) => difference[name] !== 0)
  const whole = sumMonthDifference(difference)
  if (changedCauses.length === 0) return <p className="text-[0.8125rem] text-ink-soft">Comme le mois précédent.</p>
  return (
    <p className="text-[0.8125rem] text-ink-soft">
      {formatMoney(before)} HT le mois précédent, {formatSignedMoney(whole)} ce mois-ci&nbsp;:{' '}
      {changedCauses
        .map(({ name, label }) => `${label.toLowerCase()} ${formatSignedMoney(difference[name])}`)
        .join(', ')}
      .
    </p>
  )
}
