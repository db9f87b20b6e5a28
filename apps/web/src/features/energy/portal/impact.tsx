import { getLocalEnergy, getLocalRate } from '@voisol/contract/month-words'
import { getSideTexts } from '@voisol/contract/side-words'
import { Suspense, useState } from 'react'
import { formatEnergy, formatPercent } from '../../../lib/format.ts'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { SegmentedControl } from '../../../ui/energy-explorer/controls.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { formatLongDay } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Equivalents } from './equivalents.tsx'
import { computeSavedGrams, getSavedGramsPerKwh } from './figures.ts'
import { ImpactMethod } from './impact-method.tsx'
import { WithPoints } from './loading.tsx'
import { type MyPoints, type OwnSide, type Side, selectOwnSide } from './my-points.ts'
import { NoPoint, NoReading } from './nothing.tsx'
import { PortalPage } from './page.tsx'
import { getRangeSinceEntry, type SinceEntryRange, useSummarySinceEntry } from './since.ts'

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
