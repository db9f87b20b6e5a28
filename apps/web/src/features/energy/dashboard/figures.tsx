import type { EnergySummary } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { EnergyTiles } from '../../../ui/energy-figures/energy-tiles.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { type DayRange, describePreviousPeriod } from '../../../ui/period/so-far.ts'
import type { Trends } from './trends.ts'

const SHOWN_FIGURES = ['produced', 'shared', 'surplus', 'selfConsumption', 'selfProduction', 'co2'] as const
const TILE_LABELS = { shared: 'Énergie autoconsommée' }

const toTileTrends = ({ produced, shared, surplus }: Trends) => ({
  produced: { values: produced, color: '#b45309' },
  shared: { values: shared, color: 'var(--data-local)' },
  surplus: { values: surplus, color: 'var(--data-surplus)' },
})

type DashboardFiguresProps = { summary: EnergySummary; period: Period; shown: DayRange; trends: Trends }

/** How things stand, against the same days of the year before. */
export const DashboardFigures = ({ summary, period, shown, trends }: DashboardFiguresProps) => (
  <section aria-label="Chiffres de la période" className="grid gap-3">
    {shown.to < period.to && (
      <p className="text-[0.8125rem] text-ink-soft">
        Relevés connus {formatDayRange(shown.from, addDays(shown.to, -1))}.
      </p>
    )}
    <EnergyTiles
      summary={summary}
      shown={SHOWN_FIGURES}
      before={describePreviousPeriod(period, shown)}
      className="sm:grid-cols-2 xl:grid-cols-3"
      labels={TILE_LABELS}
      trends={toTileTrends(trends)}
    />
  </section>
)
