import { useId } from 'react'
import { type Bar, BarPattern, type BarSeries, Bars, sumBar } from './chart/bars.tsx'
import { formatTableNumber } from './chart/download.ts'
import { ChartFrame } from './chart/frame.tsx'
import { HorizontalBars } from './chart/lying-bars.tsx'
import { type Column, Table } from './table.tsx'

export type { Bar, BarSeries } from './chart/bars.tsx'

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
