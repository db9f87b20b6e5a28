import type { Summary } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { EnergyTiles } from '../../../ui/energy-figures/energy-tiles.tsx'
import { daysLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { beforeWords, type Days } from '../../../ui/period/so-far.ts'
import type { Trends } from './trends.ts'

const SHOWN = ['produced', 'shared', 'surplus', 'selfConsumption', 'selfProduction', 'co2'] as const
const LABELS = { shared: 'Énergie autoconsommée' }

const trendsOf = ({ produced, shared, surplus }: Trends) => ({
  produced: { values: produced, color: '#b45309' },
  shared: { values: shared, color: 'var(--data-local)' },
  surplus: { values: surplus, color: 'var(--data-surplus)' },
})

type FiguresProps = { summary: Summary; period: Period; shown: Days; trends: Trends }

/** How things stand, against the same days of the year before. */
export const Figures = ({ summary, period, shown, trends }: FiguresProps) => (
  <section aria-label="Chiffres de la période" className="grid gap-3">
    {shown.to < period.to && (
      <p className="text-[0.8125rem] text-ink-soft">Relevés connus {daysLabel(shown.from, addDays(shown.to, -1))}.</p>
    )}
    <EnergyTiles
      summary={summary}
      shown={SHOWN}
      before={beforeWords(period, shown)}
      className="sm:grid-cols-2 xl:grid-cols-3"
      labels={LABELS}
      trends={trendsOf(trends)}
    />
  </section>
)
