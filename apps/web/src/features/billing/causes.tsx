import type { MonthDifference } from '@voisol/contract/billing-documents'
import { CAUSES, differenceTotal, signedMoney } from '../../lib/billing-labels.ts'
import { money } from '../../lib/format.ts'

/** In one sentence why a document differs from the month before. */
export function DifferenceCauses({ difference, before }: { difference: MonthDifference; before: number }) {
  const moved = CAUSES.filter(({ name }) => difference[name] !== 0)
  const whole = differenceTotal(difference)
  if (moved.length === 0) return <p className="text-[0.8125rem] text-ink-soft">Comme le mois précédent.</p>
  return (
    <p className="text-[0.8125rem] text-ink-soft">
      {money(before)} HT le mois précédent, {signedMoney(whole)} ce mois-ci&nbsp;:{' '}
      {moved.map(({ name, label }) => `${label.toLowerCase()} ${signedMoney(difference[name])}`).join(', ')}.
    </p>
  )
}
