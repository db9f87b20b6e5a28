import type { Summary } from '@voisol/contract/energy'
import { EnergyTiles } from '../../../ui/energy-figures/energy-tiles.tsx'
import { type Period, todayInParis } from '../../../ui/period/period.ts'
import { beforeWords } from '../../../ui/period/so-far.ts'

const SHOWN = ['produced', 'shared', 'surplus', 'consumed', 'selfConsumption', 'selfProduction'] as const

/** A period that is not over would always look poorer than a whole one. */
const settled = (summary: Summary): Summary =>
  summary.to > todayInParis() ? { ...summary, previous: null, lastYear: null } : summary

export const Figures = ({ summary, period }: { summary: Summary; period: Period }) => (
  <section aria-label="Chiffres de la période">
    <EnergyTiles
      summary={settled(summary)}
      shown={SHOWN}
      before={beforeWords(period, period)}
      className="sm:grid-cols-2 lg:grid-cols-3"
    />
  </section>
)
