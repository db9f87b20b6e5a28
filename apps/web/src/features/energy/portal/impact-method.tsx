import type { Summary } from '@voisol/contract/energy'
import { localOf } from '@voisol/contract/month-words'
import { wordsOf } from '@voisol/contract/side-words'
import { energy, number } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { gramsOf, savedPerKwh } from './figures.ts'
import type { Mine } from './my-points.ts'

const perKwh = (grams: number) => `${number(grams)}\u00a0g/kWh`

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 border-t border-line py-2.5 first:border-t-0">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{value}</dd>
  </div>
)

/** The factors and where they come from: anybody can do the sum again. */
export function ImpactMethod({ summary, mine }: { summary: Summary; mine: Mine }) {
  const { gridGramsPerKwh, solarGramsPerKwh, source } = summary.co2
  const { side } = mine
  return (
    <Card title="Comment c’est compté">
      <dl>
        <Fact label="Électricité du réseau français" value={perKwh(gridGramsPerKwh)} />
        <Fact label="Électricité solaire, panneaux compris" value={perKwh(solarGramsPerKwh)} />
        <Fact label="Écart par kWh local" value={perKwh(savedPerKwh(summary))} />
        <Fact label={wordsOf(mine).counts} value={energy(localOf(summary.current, side))} />
        <Fact label="CO₂ évité" value={measures.carbon.text(gramsOf(summary, side))} />
      </dl>
      <p className="mt-3 text-[0.8125rem] text-ink-soft">
        Source des facteurs : {source}. L’électricité française émet déjà peu : le gain par kWh est réel, et modeste.
      </p>
    </Card>
  )
}
