import ArrowDownRight from 'lucide-react/icons/arrow-down-right'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Equal from 'lucide-react/icons/equal'
import type { ReactNode } from 'react'
import { formatCount, formatPercent } from '../lib/format.ts'
import { cardClass, Figure } from './card.tsx'
import { cx } from './cx.ts'

/** A change against an earlier period: 0.12 is a rise of 12 %, or of 12 points between two shares; `good` says which way is welcome. */
export type FigureChange = { ratio: number; against: string; good?: 'up' | 'down'; points?: boolean }

const roundToTenth = (value: number) => Math.round(value * 10) / 10

function ChangeLine({ ratio, against, good, points = false }: FigureChange) {
  const size = (value: number) => (points ? formatCount(roundToTenth(value * 100), 'point') : formatPercent(value))
  const way = Math.abs(ratio) < 0.0005 ? 'same' : ratio > 0 ? 'up' : 'down'
  const Icon = { same: Equal, up: ArrowUpRight, down: ArrowDownRight }[way]
  const words = { same: 'Stable', up: `Hausse de ${size(ratio)}`, down: `Baisse de ${size(-ratio)}` }[way]
  const tone = way === 'same' || !good ? 'text-ink-soft' : way === good ? 'text-success' : 'text-danger'
  return (
    <p className="flex items-start gap-1.5 text-[0.8125rem] text-ink-soft">
      <Icon aria-hidden="true" className={cx('mt-0.5 size-4', tone)} />
      <span>
        <span className={cx('font-medium', tone)}>{words}</span> par rapport à {against}
      </span>
    </p>
  )
}

type KpiTileProps = {
  label: string
  figure: string
  note?: ReactNode
  change?: FigureChange
  trend?: { values: (number | null)[]; color?: string }
  /** What the figure is made of. */
  children?: ReactNode
}

/** One figure of the day; `figure` comes from lib/format with its unit. */
export const KpiTile = ({ label, figure, note, change, trend, children }: KpiTileProps) => (
  <div className={cx(cardClass, 'flex min-w-0 flex-col gap-2 p-5')}>
    <p className="text-body font-medium text-ink-soft">{label}</p>
    <div className="flex items-end justify-between gap-4">
      <Figure className="text-[1.75rem] leading-none font-semibold tracking-tight">{figure}</Figure>
      {trend && <Sparkline values={trend.values} color={trend.color} />}
    </div>
    {change && <ChangeLine {...change} />}
    {children}
    {note && <p className="text-[0.8125rem] text-ink-soft">{note}</p>}
  </div>
)

const WIDTH = 96
const HEIGHT = 32
const EDGE_MARGIN = 3

/** Straight pieces between known values; a missing one breaks the line. */
function buildPath(values: (number | null)[], x: (index: number) => number, y: (value: number) => number) {
  let pen = 'M'
  return values
    .map((value, index) => {
      if (value === null) {
        pen = 'M'
        return ''
      }
      const piece = `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
      pen = 'L'
      return piece
    })
    .join('')
}

/** A trend without axes, beside a figure that says the same in words: decoration for a screen reader. */
export function Sparkline({ values, color = 'var(--primary)' }: { values: (number | null)[]; color?: string }) {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return null
  const low = Math.min(0, ...known)
  const span = Math.max(...known) - low || 1
  const x = (index: number) => EDGE_MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * EDGE_MARGIN)
  const y = (value: number) => HEIGHT - EDGE_MARGIN - ((value - low) / span) * (HEIGHT - 2 * EDGE_MARGIN)
  const last = values.at(-1) ?? null
  return (
    <svg
      aria-hidden="true"
      width={WIDTH}
      height={HEIGHT}
      className="max-w-[45%] shrink-0"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <path
        d={buildPath(values, x, y)}
        fill="none"
        stroke={color}
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {last !== null && <circle cx={WIDTH - EDGE_MARGIN} cy={y(last)} r="2.5" fill={color} />}
    </svg>
  )
}
