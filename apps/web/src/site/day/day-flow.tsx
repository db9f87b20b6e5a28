import { type PointerEvent, Suspense, useId, useState } from 'react'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import { drawingColours, INK } from '../../components/drawing/iso.ts'
import { lazy } from '../../components/lazy.tsx'
import { type Background, PageSection, type SectionHeadingContent } from '../blocks/section.tsx'
import {
  computeLocalShare,
  describeQuarter,
  dayTotals as figures,
  formatQuarter,
  formatQuarterFigures,
  getQuarter,
  listQuarters,
  type Quarter,
} from './day-model.ts'

type DayFlowContent = SectionHeadingContent & { ground?: Background; note: string }

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

const HEIGHT = 100

/** Steps, because a quarter of an hour has one figure: from left to right, then back along the ground. */
function buildAreaPath(values: number[], most: number) {
  const y = (value: number) => (HEIGHT - (value / most) * HEIGHT).toFixed(1)
  return `M0 ${HEIGHT}${values.map((value, index) => `V${y(value)}H${index + 1}`).join('')}V${HEIGHT}Z`
}
function buildLinePath(values: number[], most: number) {
  const y = (value: number) => (HEIGHT - (value / most) * HEIGHT).toFixed(1)
  return values.map((value, index) => `${index ? 'L' : 'M'}${index + 0.5} ${y(value)}`).join('')
}

type ChartProps = { quarters: Quarter[]; at: number; onAt: (index: number) => void }

/** The day as it went: what was shared in front of what was produced, so that the surplus is what sticks out. */
function DayChart({ quarters, at, onAt }: ChartProps) {
  const maxValue = Math.max(...quarters.flatMap(({ produced, consumed }) => [produced, consumed])) * 1.06
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * quarters.length)
    onAt(Math.min(quarters.length - 1, Math.max(0, index)))
  }
  return (
    <svg
      viewBox={`0 0 ${quarters.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerMove={follow}
      onPointerDown={follow}
      className="block h-40 w-full cursor-crosshair touch-pan-y sm:h-64"
    >
      {[24, 48, 72].map((x) => (
        <line key={x} x1={x} x2={x} y1={0} y2={HEIGHT} stroke="#e2e8f0" vectorEffect="non-scaling-stroke" />
      ))}
      <path
        d={buildAreaPath(
          quarters.map(({ produced }) => produced),
          maxValue,
        )}
        fill="var(--data-surplus)"
        fillOpacity={0.55}
      />
      <path
        d={buildAreaPath(
          quarters.map(({ shared }) => shared),
          maxValue,
        )}
        fill="var(--data-local)"
      />
      <path
        d={buildLinePath(
          quarters.map(({ consumed }) => consumed),
          maxValue,
        )}
        fill="none"
        stroke="var(--data-consumption)"
        strokeWidth={2}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <rect x={at} width={1} height={HEIGHT} fill="#0f172a" fillOpacity={0.12} />
      <line
        x1={at + 0.5}
        x2={at + 0.5}
        y1={0}
        y2={HEIGHT}
        stroke="#0f172a"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
      <line
        x1={0}
        x2={quarters.length}
        y1={HEIGHT}
        y2={HEIGHT}
        stroke="#64748b"
        strokeWidth={2}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

const HourScale = () => (
  <div aria-hidden="true" className="tabular mt-1.5 flex justify-between text-xs text-ink-soft">
    {[0, 6, 12, 18, 24].map((hour) => (
      <span key={hour}>{`${hour}\u00a0h`}</span>
    ))}
  </div>
)

const [WIDTH, COLUMNS, CELL, FLOOR] = [360, 4, 52, 38]
const LEFT = (WIDTH - COLUMNS * CELL) / 2
const ROOF_Y = 100
const FLAT_COUNT = 24
const PANE_SIZE = { width: 34, height: 25 }

/** The sun where it stands: it rises at the left with the first energy of the roof and sets at the right with the last. */
function Sun({ production, at }: { production: number[]; at: number }) {
  const first = production.findIndex((value) => value > 0)
  const last = production.findLastIndex((value) => value > 0)
  const course = (at - first) / Math.max(1, last - first)
  if (first < 0 || course < 0 || course > 1) return null
  const angle = Math.PI * (1 - course)
  const [x, y] = [WIDTH / 2 + 150 * Math.cos(angle), ROOF_Y + 2 - 76 * Math.sin(angle)]
  return (
    <g>
      <circle cx={x} cy={y} r={19} fill={drawingColours.glow} />
      <circle cx={x} cy={y} r={12} fill={drawingColours.sun} />
    </g>
  )
}

/** The panels shine with what they make. */
const Panels = ({ strength }: { strength: number }) =>
  Array.from({ length: 4 }, (_, index) => {
    const x = LEFT + 4 + index * 52
    return (
      <g key={x}>
        <path d={`M${x} ${ROOF_Y - 3}l12 -17h30l-6 17z`} fill={drawingColours.panel} stroke={INK} strokeWidth={1.2} />
        <path d={`M${x} ${ROOF_Y - 3}l12 -17h30l-6 17z`} fill={drawingColours.sun} fillOpacity={strength * 0.75} />
      </g>
    )
  })

/** A window fills with the part of its electricity that comes from the roof at this moment. */
function WindowPane({ x, y, width = PANE_SIZE.width, share }: { x: number; y: number; width?: number; share: number }) {
  const filled = PANE_SIZE.height * Math.min(1, share)
  return (
    <g>
      <rect x={x} y={y} width={width} height={PANE_SIZE.height} fill="#e8edf4" />
      <rect
        x={x}
        y={y + PANE_SIZE.height - filled}
        width={width}
        height={filled}
        fill={drawingColours.sun}
        className="transition-[y,height] duration-150 motion-reduce:transition-none"
      />
      <rect x={x} y={y} width={width} height={PANE_SIZE.height} fill="none" stroke={INK} strokeWidth={1.2} />
    </g>
  )
}

/** The key of this operation is the default one: at a given moment everybody has the same part of the roof. */
type FacadeProps = { production: number[]; at: number; share: number; className?: string }

/** The building of the demonstration: a window for each flat, the common parts at the ground, the roof above. */
function Facade({ production, at, share, className }: FacadeProps) {
  const flats = Array.from({ length: FLAT_COUNT }, (_, index) => index)
  const floors = FLAT_COUNT / COLUMNS
  const ground = ROOF_Y + floors * FLOOR + 54
  return (
    <svg viewBox={`0 0 ${WIDTH} ${ground + 10}`} aria-hidden="true" className={className}>
      <Sun production={production} at={at} />
      <Panels strength={(production[at] ?? 0) / Math.max(...production)} />
      <rect
        x={LEFT - 8}
        y={ROOF_Y}
        width={COLUMNS * CELL + 16}
        height={ground - ROOF_Y}
        fill={drawingColours.light}
        stroke={INK}
        strokeWidth={1.6}
      />
      <rect
        x={LEFT - 14}
        y={ROOF_Y - 4}
        width={COLUMNS * CELL + 28}
        height={7}
        fill="#dbe3ec"
        stroke={INK}
        strokeWidth={1.2}
      />
      {flats.map((index) => (
        <WindowPane
          key={index}
          x={LEFT + (index % COLUMNS) * CELL + (CELL - PANE_SIZE.width) / 2}
          y={ROOF_Y + 13 + (floors - 1 - Math.floor(index / COLUMNS)) * FLOOR}
          share={share}
        />
      ))}
      <WindowPane x={LEFT + 8} y={ground - 40} width={124} share={share} />
      <rect x={LEFT + 156} y={ground - 42} width={34} height={42} fill="#dbe3ec" stroke={INK} strokeWidth={1.2} />
      <path d={`M8 ${ground}H${WIDTH - 8}`} stroke={INK} strokeWidth={1.6} />
    </svg>
  )
}
