import type { EnergySummary } from '@voisol/contract/energy'
import { getLocalEnergy } from '@voisol/contract/month-words'
import { getSideTexts } from '@voisol/contract/side-words'
import { formatEnergy, formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { computeSavedGrams, getSavedGramsPerKwh } from './figures.ts'
import type { OwnSide } from './my-points.ts'

const formatGramsPerKwh = (grams: number) => `${formatNumber(grams)}\u00a0g/kWh`

const MethodFact = ({ label, value }: { label: string; value: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 border-t border-line py-2.5 first:border-t-0">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{value}</dd>
  </div>
)

/** The factors and where they come from: anybody can do the sum again. */
export function ImpactMethod({ summary, mine }: { summary: EnergySummary; mine: OwnSide }) {
  const { gridGramsPerKwh, solarGramsPerKwh, source } = summary.co2
  const { side } = mine
  return (
    <Card title="Comment c’est compté">
      <dl>
        <MethodFact label="Électricité du réseau français" value={formatGramsPerKwh(gridGramsPerKwh)} />
        <MethodFact label="Électricité solaire, panneaux compris" value={formatGramsPerKwh(solarGramsPerKwh)} />
        <MethodFact label="Écart par kWh local" value={formatGramsPerKwh(getSavedGramsPerKwh(summary))} />
        <MethodFact label={getSideTexts(mine).counts} value={formatEnergy(getLocalEnergy(summary.current, side))} />
        <MethodFact label="CO₂ évité" value={measures.carbon.text(computeSavedGrams(summary, side))} />
      </dl>
      <p className="mt-3 text-[0.8125rem] text-ink-soft">
        Source des facteurs : {source}. L’électricité française émet déjà peu : le gain par kWh est réel, et modeste.
      </p>
    </Card>
  )
}
