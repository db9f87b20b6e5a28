import type { EnergySummary } from '@voisol/contract/energy'
import { getLocalEnergy, getLocalRate } from '@voisol/contract/month-sentences'
import { getSideTexts } from '@voisol/contract/side-texts'
import CarFront from 'lucide-react/icons/car-front'
import TrainFront from 'lucide-react/icons/train-front'
import { type ComponentType, Suspense, useState } from 'react'
import { Card } from '../../../../components/card.tsx'
import { measures } from '../../../../components/curve-explorer/energy-measure.ts'
import { SegmentedControl } from '../../../../components/energy-explorer/explorer-controls.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatLongDay } from '../../../../components/period/period-labels.ts'
import { formatEnergy, formatNumber, formatPercent } from '../../../../lib/format.ts'
import { computeSavedGrams, getSavedGramsPerKwh } from './month-figures.tsx'
import {
  getRangeSinceEntry,
  type MyPoints,
  type OwnSide,
  type Side,
  type SinceEntryRange,
  selectOwnSide,
  useSummarySinceEntry,
} from './my-points.ts'
import { NoPoint, NoReading, PortalPage, WithPoints } from './portal-page.tsx'

const ImpactChart = lazy(async () => ({ default: (await import('./impact-chart.tsx')).ImpactChart }))
const loadingSkeleton = <Skeleton className="h-96 w-full" />

type ImpactHeadlineProps = { grams: number; local: number; rate: number | null; mine: OwnSide; since: string }

const describeImpact = (mine: OwnSide, local: number, rate: number | null) => {
  const { received, ofWhole, all } = getSideTexts(mine)
  return `${received} ${formatEnergy(local)} ${ofWhole}${rate === null ? '' : `, soit ${formatPercent(rate, 0)} ${all}`}.`
}

const ImpactHeadline = ({ grams, local, rate, mine, since }: ImpactHeadlineProps) => (
  <section aria-label="En tout" className="rounded-card border border-amber-200 bg-amber-50 p-6 sm:p-8">
    <p className="text-lg text-ink-soft">Depuis le {formatLongDay(since)}</p>
    <p className="mt-1 text-2xl leading-snug font-semibold tracking-[-0.02em] sm:text-[2rem]">
      <strong className="font-semibold text-amber-800">{measures.carbon.text(grams)}</strong> de CO₂ évités.
    </p>
    <p className="prose-width mt-3">{describeImpact(mine, local, rate)}</p>
  </section>
)

function ImpactReport({ mine, span }: { mine: OwnSide; span: SinceEntryRange }) {
  const { data, error, refetch } = useSummarySinceEntry(mine, span)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return loadingSkeleton
  const { side } = mine
  const grams = computeSavedGrams(data, side)
  return (
    <>
      <ImpactHeadline
        grams={grams}
        local={getLocalEnergy(data.current, side)}
        rate={getLocalRate(data.current, side)}
        mine={mine}
        since={span.from}
      />
      <Suspense fallback={loadingSkeleton}>
        <ImpactChart mine={mine} span={span} gramsPerKwh={getSavedGramsPerKwh(data)} />
      </Suspense>
      <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <Equivalents grams={grams} />
        <ImpactMethod summary={data} mine={mine} />
      </div>
    </>
  )
}

function ImpactContent({ mine: { all, battery, consumes, produces, lastDay } }: { mine: MyPoints }) {
  const [chosen, setSide] = useState<Side>('consumption')
  if (all.length === 0) return <NoPoint />
  if (lastDay === null) return <NoReading />
  const both = consumes && produces && !battery
  // What a battery stores spares nothing until somebody receives it.
  const side = both ? chosen : consumes && !battery ? 'consumption' : 'production'
  const mine = selectOwnSide(all, side)
  const starts = mine.points.flatMap(({ startsOn }) => (startsOn === null ? [] : [startsOn]))
  return (
    <>
      {both && (
        <div className="flex">
          <SegmentedControl
            label="Votre rôle"
            value={side}
            onChange={setSide}
            options={[
              { value: 'consumption', label: 'Énergie reçue' },
              { value: 'production', label: 'Énergie partagée' },
            ]}
          />
        </div>
      )}
      <ImpactReport mine={mine} span={getRangeSinceEntry(starts.toSorted()[0] ?? null, lastDay)} />
    </>
  )
}

/** What the local energy spared the air, with the factors in full view. */
export default function PortalImpact() {
  return (
    <PortalPage title="Mon impact" description="Ce que l’énergie locale a évité, compté sans l’embellir.">
      <WithPoints>{(mine) => <ImpactContent mine={mine} />}</WithPoints>
    </PortalPage>
  )
}

const formatGramsPerKwh = (grams: number) => `${formatNumber(grams)}\u00a0g/kWh`

const MethodFact = ({ label, value }: { label: string; value: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 border-t border-line py-2.5 first:border-t-0">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{value}</dd>
  </div>
)

/** The factors and where they come from: anybody can do the sum again. */
function ImpactMethod({ summary, mine }: { summary: EnergySummary; mine: OwnSide }) {
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

/** Grams of CO₂ equivalent per kilometre and passenger, making of the vehicle included. */
const GRAMS_PER_KM = { car: 217.6, train: 2.93 }
const SOURCE = 'https://impactco2.fr/outils/transport'

type EquivalentProps = { icon: ComponentType<{ className?: string }>; kilometres: number; label: string; grams: number }

const formatDistance = (kilometres: number) => formatNumber(kilometres, kilometres < 10 ? 1 : 0)

const Equivalent = ({ icon: Icon, kilometres, label, grams }: EquivalentProps) => (
  <li className="flex items-center gap-4">
    <span aria-hidden="true" className="grid size-12 shrink-0 place-items-center rounded-full bg-amber-100">
      <Icon className="size-6 text-amber-800" />
    </span>
    <span className="min-w-0">
      <span className="block text-xl font-semibold tracking-tight">{formatDistance(kilometres)}&nbsp;km</span>
      <span className="block text-ink-soft">
        {label} ({formatNumber(grams)}&nbsp;g par&nbsp;km)
      </span>
    </span>
  </li>
)

/** What so much carbon is like; only what has a source. */
const Equivalents = ({ grams }: { grams: number }) => (
  <Card title="C’est autant que…">
    <ul className="grid gap-5">
      <Equivalent
        icon={CarFront}
        kilometres={grams / GRAMS_PER_KM.car}
        label="seul dans une voiture thermique"
        grams={GRAMS_PER_KM.car}
      />
      <Equivalent icon={TrainFront} kilometres={grams / GRAMS_PER_KM.train} label="en TGV" grams={GRAMS_PER_KM.train} />
    </ul>
    <p className="mt-5 text-[0.8125rem] text-ink-soft">
      Source :{' '}
      <a href={SOURCE} className="text-link" rel="noreferrer" target="_blank">
        ADEME, Impact CO₂<span className="sr-only"> (nouvel onglet)</span>
      </a>
      , Base Empreinte, fabrication du véhicule comprise.
    </p>
  </Card>
)
