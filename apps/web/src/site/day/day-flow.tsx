import { Suspense, useId, useState } from 'react'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { lazy } from '../../ui/lazy.tsx'
import { type Background, PageSection, type SectionHeadingContent } from '../blocks/section.tsx'
import { DayChart, HourScale } from './day-chart.tsx'
import { Facade } from './facade.tsx'
import { dayTotals as figures } from './figures.ts'
import {
  computeLocalShare,
  describeQuarter,
  formatQuarter,
  formatQuarterFigures,
  getQuarter,
  listQuarters,
} from './model.ts'

export type DayFlowContent = SectionHeadingContent & { ground?: Background; note: string }

const quarters = listQuarters(figures)
/** One in the afternoon: roof, neighbours and surplus can all be seen, which is what a page without script shows. */
const INITIAL_QUARTER = 52

const FlowValue = ({ fill, label, value }: { fill: string; label: string; value: string }) => (
  <div>
    <dt className="flex items-center gap-1.5 text-xs text-ink-soft sm:text-sm">
      <svg viewBox="0 0 8 8" aria-hidden="true" className="size-2.5">
        <rect width="8" height="8" rx="1" fill={fill} />
      </svg>
      {label}
    </dt>
    <dd className="tabular mt-0.5 text-2xl font-semibold tracking-tight sm:text-3xl">
      {value}
      <span className="text-sm font-normal text-ink-soft sm:text-base">{'\u00a0'}kWh</span>
    </dd>
  </div>
)

function FlowValues({ at }: { at: number }) {
  const { produced, shared, surplus } = formatQuarterFigures(getQuarter(figures, at))
  return (
    <dl className="mt-3 grid gap-3 sm:grid-cols-3">
      <FlowValue fill="#0f172a" label="Produits" value={produced} />
      <FlowValue fill="var(--data-local)" label="Partagés" value={shared} />
      <FlowValue fill="var(--data-surplus)" label="Surplus" value={surplus} />
    </dl>
  )
}

/** What the windows show, in a sentence under the building. */
function LocalShareNote({ at }: { at: number }) {
  const { consumed, shared } = getQuarter(figures, at)
  const most = Math.round(computeLocalShare(consumed, shared) * 100)
  const text =
    most === 0
      ? 'La nuit, chacun est alimenté par son fournisseur.'
      : `Chaque fenêtre se remplit de la part venue du toit\u00a0: ${most}\u00a0% en ce moment.`
  return <p className="mt-3 text-center text-sm text-ink-soft text-balance max-lg:hidden">{text}</p>
}

function TimeSlider({ at, onAt }: { at: number; onAt: (index: number) => void }) {
  const id = useId()
  return (
    <div className="script-only mt-3">
      <label htmlFor={id} className="text-sm text-ink-soft max-sm:sr-only">
        Déplacez l’heure
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={quarters.length - 1}
        value={at}
        onChange={(event) => onAt(Number(event.currentTarget.value))}
        aria-valuetext={describeQuarter(figures, at)}
        className="block h-8 w-full cursor-pointer accent-[#d97706]"
      />
    </div>
  )
}

const NeighbourTable = lazy(() => import('./neighbour-table.tsx'))

/** The same for each neighbour: its figures come when somebody wants to read them. */
function NeighbourDetails({ at }: { at: number }) {
  const [open, setOpen] = useState(false)
  return (
    <details
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="script-only col-span-full mt-4 border-line border-t pt-3"
    >
      <summary className="min-h-6 cursor-pointer text-[0.9375rem] font-medium text-primary-ink">
        Voir le tableau
      </summary>
      <Suspense>{open && <NeighbourTable at={at} />}</Suspense>
    </details>
  )
}

/** One real day of the demonstration: move along it, and see who received what. Without script it stays at one o’clock. */
export function DayFlow({ note, ...section }: DayFlowContent) {
  const [at, setAt] = useState(INITIAL_QUARTER)
  return (
    <PageSection {...section}>
      <div
        className={cx(
          cardClass,
          'mt-5 grid grid-cols-[minmax(0,1fr)_7.5rem] gap-x-5 p-4 sm:mt-10 sm:grid-cols-[minmax(0,1fr)_12rem] sm:p-8 lg:grid-cols-[7fr_4fr] lg:gap-x-14',
        )}
      >
        <div>
          <p className="tabular font-medium">{formatQuarter(at)}</p>
          <FlowValues at={at} />
        </div>
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-center">
          <Facade
            production={figures.production}
            at={at}
            share={computeLocalShare(getQuarter(figures, at).consumed, getQuarter(figures, at).shared)}
            className="mx-auto w-full max-w-[340px]"
          />
          <LocalShareNote at={at} />
        </div>
        <div className="col-span-full mt-4 lg:col-span-1">
          <DayChart quarters={quarters} at={at} onAt={setAt} />
          <HourScale />
          <TimeSlider at={at} onAt={setAt} />
        </div>
        <NeighbourDetails at={at} />
      </div>
      <p className="mt-3 text-[0.8125rem] text-ink-soft sm:text-sm">{note}</p>
    </PageSection>
  )
}
