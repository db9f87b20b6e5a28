import { scaleBand, scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { number } from '../../lib/format.ts'
import { useWidth } from '../use-width.ts'

export type BarSeries = { label: string; color: string; pattern?: 'plain' | 'hatched' | 'dotted' }
/** One value per series; null is missing. */
export type Bar = { label: string; values: (number | null)[] }

const HEIGHT = 280
const MARGIN = { top: 24, right: 0, bottom: 28, left: 44 }

export const totalOf = (bar: Bar) => bar.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
const isMissing = (bar: Bar) => bar.values.every((value) => value === null)
const short = (value: number) => number(value, value !== 0 && Math.abs(value) < 10 ? 1 : 0)

export const BarPattern = ({ id, series }: { id: string; series: BarSeries }) => (
  <pattern
    id={id}
    width="6"
    height="6"
    patternUnits="userSpaceOnUse"
    patternTransform={series.pattern === 'hatched' ? 'rotate(45)' : undefined}
  >
    <rect width="6" height="6" fill={series.color} />
    {series.pattern === 'hatched' && <rect width="1.5" height="6" fill="#fff" opacity="0.55" />}
    {series.pattern === 'dotted' && <circle cx="3" cy="3" r="1.1" fill="#fff" opacity="0.8" />}
  </pattern>
)

type StackProps = {
  bar: Bar
  x: number
  width: number
  y: (value: number) => number
  fill: (index: number) => string
  missing: string
}
function Stack({ bar, x, width, y, fill, missing }: StackProps) {
  let below = 0
  if (isMissing(bar))
    return (
      <rect
        x={x}
        y={y(0) - 48}
        width={width}
        height={48}
        fill={`url(#${missing})`}
        stroke="#CBD5E1"
        strokeDasharray="3 3"
      />
    )
  return bar.values.map((value, index) => {
    const from = below
    below += value ?? 0
    const height = Math.max(0, y(from) - y(below))
    // biome-ignore lint/suspicious/noArrayIndexKey: the series keep their order
    return <rect key={index} x={x} y={y(below)} width={width} height={height} fill={fill(index)} />
  })
}

/** Stacked bars with their totals written on them; the table beside it says the rest. */
export function Bars({ bars, series }: { bars: Bar[]; series: BarSeries[] }) {
  const [ref, width] = useWidth<HTMLDivElement>(640)
  const id = useId()
  const x = scaleBand(
    bars.map((bar) => bar.label),
    [MARGIN.left, width - MARGIN.right],
  )
    .paddingInner(0.32)
    .paddingOuter(0.16)
  const y = scaleLinear([0, Math.max(1e-9, ...bars.map(totalOf))], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4)
  const narrow = x.step() < 38
  const centre = (bar: Bar) => (x(bar.label) ?? 0) + x.bandwidth() / 2
  return (
    <div ref={ref} className="w-full min-w-0">
      <svg aria-hidden="true" width={width} height={HEIGHT} className="tabular block max-w-full text-[12px]">
        <defs>
          {series.map((one, index) => (
            <BarPattern key={one.label} id={`${id}-${index}`} series={one} />
          ))}
          <BarPattern id={`${id}-missing`} series={{ label: '', color: '#E2E8F0', pattern: 'hatched' }} />
        </defs>
        {y.ticks(4).map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line x1={MARGIN.left} x2={width} stroke={tick === 0 ? '#64748B' : '#EEF2F6'} />
            <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" fill="#475569">
              {number(tick)}
            </text>
          </g>
        ))}
        {bars.map((bar) => (
          <g key={bar.label}>
            <Stack
              bar={bar}
              x={x(bar.label) ?? 0}
              width={x.bandwidth()}
              y={y}
              fill={(index) => `url(#${id}-${index})`}
              missing={`${id}-missing`}
            />
            {!narrow && (
              <text
                x={centre(bar)}
                y={isMissing(bar) ? y(0) - 56 : y(totalOf(bar)) - 7}
                textAnchor="middle"
                fill="#0F172A"
                fontWeight="500"
              >
                {isMissing(bar) ? '?' : short(totalOf(bar))}
              </text>
            )}
            <text x={centre(bar)} y={HEIGHT - 9} textAnchor="middle" fill="#475569">
              {narrow ? bar.label.slice(0, 1).toUpperCase() : bar.label}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}
