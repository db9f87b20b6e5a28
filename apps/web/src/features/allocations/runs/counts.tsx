import type { Run, RunCounts } from '@voisol/contract/allocations'
import type { z } from 'zod'
import { formatCount, formatEnergy, formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { SummaryStrip } from '../../../ui/detail-screen.tsx'
import {
  buildConsumptionParts,
  buildProductionParts,
  toGridPart,
  toLocalPart,
  toSurplusPart,
} from '../../../ui/stack/parts.ts'
import { ShareFigures } from '../../../ui/stack/share-bar.tsx'
import { formatRate, toWattHours } from '../words.tsx'

type Counts = z.infer<typeof RunCounts>

/** Why steps were left out or treated otherwise, each in a sentence. */
const listReasons = ({ consumerMissing, producerMissing, noKey, defaulted, estimated }: Counts) =>
  [
    [consumerMissing, 'sans le relevé d’un consommateur au moins'],
    [producerMissing, 'sans le relevé d’un producteur au moins'],
    [noKey, 'sans clé de répartition en vigueur'],
    [defaulted, 'sans coefficient dans les fichiers\u00a0: la règle par défaut a été appliquée'],
    [estimated, 'relevés estimés, signalés comme tels'],
  ] satisfies [number, string][]

export function CountsCard({ counts, step }: { counts: Counts; step: number }) {
  const reasons = listReasons(counts).filter(([count]) => count > 0)
  return (
    <Card title="Instants répartis" description={`L’énergie se partage par pas de ${step} minutes.`}>
      <p className="text-body">
        <span className="tabular font-semibold">{formatNumber(counts.steps - counts.excluded)}</span> pas répartis sur{' '}
        {formatNumber(counts.steps)}.{' '}
        {counts.excluded === 0
          ? 'Aucun n’a été laissé de côté pour tous.'
          : `${formatCount(counts.excluded, 'pas laissé de côté', 'pas laissés de côté')}, jamais remplacés par une valeur inventée.`}
      </p>
      {reasons.length > 0 && (
        <ul className="mt-3 grid gap-1.5 text-body">
          {reasons.map(([count, words]) => (
            <li key={words} className="flex gap-2">
              <span className="tabular min-w-16 text-right font-medium">{formatNumber(count)}</span>
              <span className="text-ink-soft">{words}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What was made and what was drawn, on the steps that were shared. */
export function TotalsCard({ totals }: { totals: NonNullable<Run['totals']> }) {
  const wh = {
    produced: toWattHours(totals.produced),
    consumed: toWattHours(totals.consumed),
    allocated: toWattHours(totals.allocated),
    surplus: toWattHours(totals.surplus),
    complement: toWattHours(totals.complement),
  }
  const shared = wh.produced - wh.surplus
  const storage = totals.storage && {
    stored: toWattHours(totals.storage.stored),
    restored: toWattHours(totals.storage.restored),
    whole: true,
  }
  const ratio = (part: number, whole: number) => formatRate(whole > 0 ? part / whole : null)
  return (
    <Card title="Énergie">
      <div className="grid gap-5">
        <SummaryStrip
          facts={[
            { label: 'Production', value: formatEnergy(wh.produced) },
            { label: 'Consommation', value: formatEnergy(wh.consumed) },
            { label: 'Autoconsommation', value: ratio(shared, wh.produced) },
            { label: 'Autoproduction', value: ratio(wh.allocated, wh.consumed) },
          ]}
        />
        <div className="grid gap-6 lg:grid-cols-2">
          <div className="grid content-start gap-2">
            <h3 className="text-body font-medium">La production a été</h3>
            <ShareFigures
              parts={
                storage
                  ? buildProductionParts({ shared, surplus: wh.surplus, pendingProduced: 0, storage })
                  : [toLocalPart(wh.allocated, 'Partagée'), toSurplusPart(wh.surplus)]
              }
            />
          </div>
          <div className="grid content-start gap-2">
            <h3 className="text-body font-medium">La consommation venait de</h3>
            <ShareFigures
              parts={
                storage
                  ? buildConsumptionParts({ ...wh, pendingConsumed: 0, storage })
                  : [toLocalPart(wh.allocated, 'L’opération'), toGridPart(wh.complement, 'Le réseau')]
              }
            />
          </div>
        </div>
      </div>
    </Card>
  )
}
