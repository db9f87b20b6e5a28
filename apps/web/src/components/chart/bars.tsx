import { scaleBand, scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useWidth } from '../use-width.ts'
import { type Bar, BarColumn, isMissingBar } from './bar-column.tsx'
import { BarPattern, type BarSeries } from './fill.tsx'

export { BarPattern, type BarSeries } from './fill.tsx'

const HEIGHT = 280
const MARGIN = { top: 24, right: 0, bottom: 28, left: 64 }
const MIN_LABEL_WIDTH = 20

export const sumBar = (bar: Bar) => bar.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
const formatShortNumber = (value: number) => formatNumber(value, value !== 0 && Math.abs(value) < 10 ? 1 : 0)
const getHighestLevel = (bar: Bar) => Math.max(sumBar(bar), ...(bar.levels ?? []).map((level) => level.value ?? 0))

type BarsProps = {
  bars: Bar[]
  series: BarSeries[]
  /** Written once, on the highest line. */
  unit?: string
  /** The bar under the cursor. */
  index?: number | null
  onIndex?: (index: number | null) => void
  onOpen?: (index: number) => void
}

function buildScales(bars: Bar[], width: number) {
  const barPadding = bars.length > 40 ? 0.12 : 0.32
  const x = scaleBand(
    bars.map((_, index) => index),
    [MARGIN.left, width - MARGIN.right],
  )
    .paddingInner(barPadding)
    .paddingOuter(barPadding / 2)
  const y = scaleLinear([0, Math.max(1e-9, ...bars.map(getHighestLevel))], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4)
  const longest = Math.max(0, ...bars.map((bar) => bar.label.length))
  return { x, y, narrow: x.step() < Math.max(38, longest * 6.5), every: Math.ceil(MIN_LABEL_WIDTH / x.step()) }
}

const Grid = ({ y, width, unit }: { y: ReturnType<typeof buildScales>['y']; width: number; unit: string }) =>
  y.ticks(4).map((tick, index, ticks) => (
    <g key={tick} transform={`translate(0 ${y(tick)})`}>
      <line x1={MARGIN.left} x2={width} stroke={tick === 0 ? '#64748B' : '#EEF2F6'} />
      <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" fill="#475569">
        {index === ticks.length - 1 ? `${formatNumber(tick)} ${unit}` : formatNumber(tick)}
      </text>
    </g>
  ))

export const Patterns = ({ id, series }: { id: string; series: BarSeries[] }) => (
  <defs>
    {series.map((one, index) => (
      <BarPattern key={one.label} id={`${id}-${index}`} series={one} />
    ))}
    <BarPattern id={`${id}-missing`} series={{ label: '', color: '#E2E8F0', pattern: 'hatched' }} />
  </defs>
)

/** Stacked bars with their totals written on them; the table beside it says the rest. */
export function Bars({ bars, series, unit = '', index = null, onIndex, onOpen }: BarsProps) {
  const [ref, width] = useWidth<HTMLDivElement>(640)
  const id = useId()
  const { x, y, narrow, every } = buildScales(bars, width)
  const top = (bar: Bar) => (isMissingBar(bar) ? y(0) - 56 : y(getHighestLevel(bar)) - 7)
  return (
    <div ref={ref} className="w-full min-w-0">
      <svg
        aria-hidden="true"
        data-drawing=""
        width={width}
        height={HEIGHT}
        className="tabular block max-w-full text-[12px]"
        onPointerLeave={() => onIndex?.(null)}
      >
        <Patterns id={id} series={series} />
        <Grid y={y} width={width} unit={unit} />
        {bars.map((bar, at) => (
          <g key={bar.label} transform={`translate(${x(at) ?? 0} 0)`}>
            {index === at && (
              <rect
                x={-(x.step() - x.bandwidth()) / 2}
                y={8}
                width={x.step()}
                height={HEIGHT - 8}
                rx="4"
                fill="#0F172A"
                opacity="0.05"
              />
            )}
            <BarColumn bar={bar} width={x.bandwidth()} y={y} patterns={id} />
            {!narrow && (
              <text x={x.bandwidth() / 2} y={top(bar)} textAnchor="middle" fill="#0F172A" fontWeight="500">
                {bar.before ? '' : isMissingBar(bar) ? '?' : formatShortNumber(sumBar(bar))}
              </text>
            )}
            {at % every === 0 && (
              <text x={x.bandwidth() / 2} y={HEIGHT - 9} textAnchor="middle" fill="#475569">
                {narrow ? (bar.short ?? bar.label.slice(0, 1).toUpperCase()) : bar.label}
              </text>
            )}
            {onIndex && (
              // biome-ignore lint/a11y/noStaticElementInteractions: the slider around the drawing does the same from the keyboard
              <rect
                x={-(x.step() - x.bandwidth()) / 2}
                width={x.step()}
                height={HEIGHT}
                fill="transparent"
                className={onOpen && 'cursor-pointer'}
                onPointerEnter={() => onIndex(at)}
                onClick={() => onOpen?.(at)}
              />
            )}
          </g>
        ))}
      </svg>
    </div>
  )
}
