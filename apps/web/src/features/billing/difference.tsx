import type { MonthPreview } from '@voisol/contract/billing-documents'
import {
  formatBillingMonth,
  formatSignedMoney,
  getPreviousMonth,
  MONTH_DIFFERENCE_CAUSES,
  sumMonthDifference,
} from '../../lib/billing-labels.ts'
import { formatMoney } from '../../lib/format.ts'

/** Why the month is not the last one: causes that sum to the difference, to the cent. */
export function MonthDifferenceSection({ month, preview }: { month: string; preview: MonthPreview }) {
  const last = formatBillingMonth(getPreviousMonth(month))
  const { difference, before } = preview
  if (!difference || !before)
    return (
      <section className="grid content-start gap-1">
        <h3 className="text-body font-medium">Écart avec {last}</h3>
        <p className="text-body text-ink-soft">Ce mois-là ne se calcule pas encore&nbsp;: rien à quoi comparer.</p>
      </section>
    )
  const changedCauses = MONTH_DIFFERENCE_CAUSES.filter(({ name }) => difference[name] !== 0)
  return (
    <section className="grid content-start gap-2">
      <h3 className="text-body font-medium">
        Écart avec {last}&nbsp;: {formatSignedMoney(sumMonthDifference(difference))} HT
      </h3>
      <p className="text-[0.8125rem] text-ink-soft">
        De {formatMoney(before.net)} à {formatMoney(preview.totals.net)}
        {changedCauses.length === 0 && ', sans aucune cause à dire'}.
      </p>
      <dl className="grid gap-1.5 text-body">
        {changedCauses.map(({ name, label, words }) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="min-w-0">
              {label} <span className="text-[0.8125rem] text-ink-soft">— {words}</span>
            </dt>
            <dd className="tabular shrink-0 font-medium">{formatSignedMoney(difference[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
