import type { EnergySummary } from '@voisol/contract/energy'
import { EnergyTiles } from '../../../../components/energy-figures/energy-tiles.tsx'
import { describePreviousPeriod, getTodayInParis, type Period } from '../../../../components/period/period.ts'

const SHOWN_FIGURES = ['produced', 'shared', 'surplus', 'consumed', 'selfConsumption', 'selfProduction'] as const

/** A period that is not over would always look poorer than a whole one. */
const withoutUnfairComparison = (summary: EnergySummary): EnergySummary =>
  summary.to > getTodayInParis() ? { ...summary, previous: null, lastYear: null } : summary

export const PeriodFigures = ({ summary, period }: { summary: EnergySummary; period: Period }) => (
  <section aria-label="Chiffres de la période">
    <EnergyTiles
      summary={withoutUnfairComparison(summary)}
      shown={SHOWN_FIGURES}
      before={describePreviousPeriod(period, period)}
      className="sm:grid-cols-2 lg:grid-cols-3"
    />
  </section>
)
