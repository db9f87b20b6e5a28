import { useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { isMissingBar } from './bar-column.tsx'
import { type Bar, type BarSeries, Patterns, sumBar } from './bars.tsx'

type Props = { bars: Bar[]; series: BarSeries[] }
type LayersProps = { bar: Bar; most: number; patterns: string }

const toPercentWidth = (value: number, most: number) => `${(100 * Math.max(0, value)) / most}%`

function Layers({ bar, most, patterns }: LayersProps) {
  let before = 0
  return bar.values.map((value, index) => {
    const from = before
    before += value ?? 0
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the series keep their order
        key={index}
        x={toPercentWidth(from, most)}
        width={toPercentWidth(value ?? 0, most)}
        height="100%"
        fill={`url(#${patterns}-${index})`}
      />
    )
  })
}

/** Names beside bars that lie: whatever the width of the screen, they are read whole. */
export function HorizontalBars({ bars, series }: Props) {
  const id = useId()
  const maxTotal = Math.max(1e-9, ...bars.map(sumBar))
  return (
    <div aria-hidden="true" data-drawing="" className="relative grid gap-4 py-2 sm:gap-3">
      <svg aria-hidden="true" width="0" height="0" className="absolute">
        <Patterns id={id} series={series} />
      </svg>
      {bars.map((bar) => (
        <div
          key={bar.label}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 text-[0.8125rem] sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)_5.5rem]"
        >
          <span className="break-words">{bar.label}</span>
          <svg
            aria-hidden="true"
            className="order-last col-span-2 h-4 w-full rounded-[3px] bg-page sm:order-none sm:col-span-1 sm:h-5"
          >
            <Layers bar={bar} most={maxTotal} patterns={id} />
          </svg>
          <span className="tabular text-right font-medium whitespace-nowrap">
            {isMissingBar(bar) ? 'inconnu' : formatNumber(sumBar(bar), sumBar(bar) < 10 ? 1 : 0)}
          </span>
        </div>
      ))}
    </div>
  )
}
