import { useId } from 'react'
import { formatNumber } from '../lib/format.ts'
import { type Bar, isMissingBar } from './chart/bar-column.tsx'
import { BarPattern, type BarSeries, Bars, Patterns, sumBar } from './chart/bars.tsx'
import { formatTableNumber } from './chart/chart-export.ts'
import { ChartFrame } from './chart/chart-frame.tsx'
import { type Column, Table } from './table.tsx'

export type { BarSeries } from './chart/bars.tsx'

type BarChartProps = {
  title: string
  summary: string
  unit: string
  series: BarSeries[]
  bars: Bar[]
  /** What the bars stand for, where it is no period: they lie then, each beside its name. */
  names?: string | undefined
}

function BarLegend({ series, unit }: Pick<BarChartProps, 'series' | 'unit'>) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
      {series.map((one, index) => (
        <span key={one.label} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width="14" height="14">
            <BarPattern id={`${id}-${index}`} series={one} />
            <rect width="14" height="14" rx="3" fill={`url(#${id}-${index})`} />
          </svg>
          {one.label}
        </span>
      ))}
      <span className="sm:ml-auto">En {unit}</span>
    </div>
  )
}

type Line = Bar & { id: string }

/** Months or other periods side by side, or names one below the other; each bar a stack. */
export function BarChart({ title, summary, unit, series, bars, names }: BarChartProps) {
  const columns: Column<Line>[] = [
    { header: names ?? 'Période', cell: (line) => line.label },
    ...series.map(
      (one, index): Column<Line> => ({
        header: `${one.label} (${unit})`,
        align: 'end',
        cell: (line) => formatTableNumber(line.values[index]),
      }),
    ),
    {
      header: `Total (${unit})`,
      align: 'end',
      cell: (line) => formatTableNumber(line.values.every((value) => value === null) ? null : sumBar(line)),
    },
  ]
  return (
    <ChartFrame
      title={title}
      summary={summary}
      drawing={
        <div className="grid gap-2 [&>*]:min-w-0">
          <BarLegend series={series} unit={unit} />
          {names ? <HorizontalBars bars={bars} series={series} /> : <Bars bars={bars} series={series} />}
        </div>
      }
      table={<Table label={title} rows={bars.map((bar) => ({ ...bar, id: bar.label }))} columns={columns} />}
    />
  )
}

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
function HorizontalBars({ bars, series }: Props) {
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

export type { Bar } from './chart/bar-column.tsx'
