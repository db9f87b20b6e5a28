import type { MonthPreview } from '@voisol/contract/billing-documents'
import { CAUSES, differenceTotal, monthBefore, monthName, signedMoney } from '../../lib/billing-labels.ts'
import { money } from '../../lib/format.ts'

/** Why the month is not the last one: causes that sum to the difference, to the cent. */
export function DifferenceWords({ month, preview }: { month: string; preview: MonthPreview }) {
  const last = monthName(monthBefore(month))
  const { difference, before } = preview
  if (!difference || !before)
    return (
      <section className="grid content-start gap-1">
        <h3 className="text-body font-medium">Écart avec {last}</h3>
        <p className="text-body text-ink-soft">Ce mois-là ne se calcule pas encore&nbsp;: rien à quoi comparer.</p>
      </section>
    )
  const moved = CAUSES.filter(({ name }) => difference[name] !== 0)
  return (
    <section className="grid content-start gap-2">
      <h3 className="text-body font-medium">
        Écart avec {last}&nbsp;: {signedMoney(differenceTotal(difference))} HT
      </h3>
      <p className="text-[0.8125rem] text-ink-soft">
        De {money(before.net)} à {money(preview.totals.net)}
        {moved.length === 0 && ', sans aucune cause à dire'}.
      </p>
      <dl className="grid gap-1.5 text-body">
        {moved.map(({ name, label, words }) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="min-w-0">
              {label} <span className="text-[0.8125rem] text-ink-soft">— {words}</span>
            </dt>
            <dd className="tabular shrink-0 font-medium">{signedMoney(difference[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
