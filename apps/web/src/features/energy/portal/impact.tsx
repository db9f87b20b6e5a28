import { localOf, rateOf } from '@voisol/contract/month-words'
import { wordsOf } from '@voisol/contract/side-words'
import { Suspense, useState } from 'react'
import { energy, percent } from '../../../lib/format.ts'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { Segments } from '../../../ui/energy-explorer/controls.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { dayLabel } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Equivalents } from './equivalents.tsx'
import { gramsOf, savedPerKwh } from './figures.ts'
import { ImpactMethod } from './impact-method.tsx'
import { WithPoints } from './loading.tsx'
import { type Mine, type MyPoints, mineOf, type Side } from './my-points.ts'
import { NoPoint, NoReading } from './nothing.tsx'
import { PortalPage } from './page.tsx'
import { type Span, spanOf, useSince } from './since.ts'

const ImpactChart = lazy(async () => ({ default: (await import('./impact-chart.tsx')).ImpactChart }))
const waiting = <Skeleton className="h-96 w-full" />

type HeroProps = { grams: number; local: number; rate: number | null; mine: Mine; since: string }

const toldOf = (mine: Mine, local: number, rate: number | null) => {
  const { received, ofWhole, all } = wordsOf(mine)
  return `${received} ${energy(local)} ${ofWhole}${rate === null ? '' : `, soit ${percent(rate, 0)} ${all}`}.`
}

const Hero = ({ grams, local, rate, mine, since }: HeroProps) => (
  <section aria-label="En tout" className="rounded-card border border-amber-200 bg-amber-50 p-6 sm:p-8">
    <p className="text-lg text-ink-soft">Depuis le {dayLabel(since)}</p>
    <p className="mt-1 text-2xl leading-snug font-semibold tracking-[-0.02em] sm:text-[2rem]">
      <strong className="font-semibold text-amber-800">{measures.carbon.text(grams)}</strong> de CO₂ évités.
    </p>
    <p className="prose-width mt-3">{toldOf(mine, local, rate)}</p>
  </section>
)

function Impact({ mine, span }: { mine: Mine; span: Span }) {
  const { data, error, refetch } = useSince(mine, span)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return waiting
  const { side } = mine
  const grams = gramsOf(data, side)
  return (
    <>
      <Hero
        grams={grams}
        local={localOf(data.current, side)}
        rate={rateOf(data.current, side)}
        mine={mine}
        since={span.from}
      />
      <Suspense fallback={waiting}>
        <ImpactChart mine={mine} span={span} gramsPerKwh={savedPerKwh(data)} />
      </Suspense>
      <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <Equivalents grams={grams} />
        <ImpactMethod summary={data} mine={mine} />
      </div>
    </>
  )
}

function Whole({ mine: { all, battery, consumes, produces, lastDay } }: { mine: MyPoints }) {
  const [chosen, setSide] = useState<Side>('consumption')
  if (all.length === 0) return <NoPoint />
  if (lastDay === null) return <NoReading />
  const both = consumes && produces && !battery
  // What a battery stores spares nothing until somebody receives it.
  const side = both ? chosen : consumes && !battery ? 'consumption' : 'production'
  const mine = mineOf(all, side)
  const starts = mine.points.flatMap(({ startsOn }) => (startsOn === null ? [] : [startsOn]))
  return (
    <>
      {both && (
        <div className="flex">
          <Segments
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
      <Impact mine={mine} span={spanOf(starts.toSorted()[0] ?? null, lastDay)} />
    </>
  )
}

/** What the local energy spared the air, with the factors in full view. */
export default function PortalImpact() {
  return (
    <PortalPage title="Mon impact" description="Ce que l’énergie locale a évité, compté sans l’embellir.">
      <WithPoints>{(mine) => <Whole mine={mine} />}</WithPoints>
    </PortalPage>
  )
}
