import { dayOf } from '@voisol/energy/calendar'
import { type KeyboardEvent, useMemo, useState } from 'react'
import type { Bar } from '../chart/bar-column.tsx'
import { Bars } from '../chart/bars.tsx'
import { type ChartData, describeInstant, isBeforeEntry } from '../chart/series.ts'
import { formatAxisDay, formatFullDay, formatMonthYear, formatShortMonth } from '../period/period-labels.ts'
import { type CurveMeasure, measures } from './energy-measure.ts'
import { ExplorerFrame, type IdleReadout, MarkLegend, Readout } from './explorer-frame.tsx'
import { buildChartData, type ExplorerSeries, sortSeries, summarizeIndexRange } from './explorer-model.ts'
import { buildCurveSummary } from './summary.ts'
import { capitalize } from './use-explorer.ts'

type PeriodBarsProps = {
  title: string
  series: ExplorerSeries[]
  /** Epoch minutes at which each day or month begins. */
  starts: number[]
  each: 'day' | 'month'
  /** The whole in words: « novembre 2026 ». */
  label: string
  measure?: CurveMeasure
  /** Opens a bar: its day or its month, as 'YYYY-MM-DD' of its first day. */
  onOpen?: (day: string) => void
  knownUntil?: number
  /** 'mean' where the totals stand beside it already. */
  idle?: IdleReadout
}

const STEP_NAMES = { day: 'jour', month: 'mois' } as const
const DATE_FORMATTERS = { day: formatFullDay, month: formatMonthYear }

function usePeriodBars({ series, starts, each, label, measure = measures.energy, idle = 'total' }: PeriodBarsProps) {
  const ordered = useMemo(() => sortSeries(series), [series])
  const data = useMemo(() => {
    const timeLabel = (seconds: number) => DATE_FORMATTERS[each](dayOf(seconds / 60))
    return { ...buildChartData(series, { starts, each }, measure), timeLabel }
  }, [series, starts, each, measure])
  const barData = useMemo(() => toBars(data, each), [data, each])
  const facts = useMemo(() => summarizeIndexRange(ordered, 0, starts.length), [ordered, starts])
  const at = (best: number) => `${each === 'month' ? 'en ' : ''}${DATE_FORMATTERS[each](dayOf(starts[best] ?? 0))}`
  const shown = { series: ordered, measure, step: 0 }
  const summary = buildCurveSummary({
    ...shown,
    first: 0,
    end: starts.length,
    label: capitalize(label),
    at,
    stepName: STEP_NAMES[each],
    totals: idle === 'mean' ? 'elsewhere' : undefined,
  })
  const idleLabel = idle === 'mean' ? `${label}, en moyenne par ${STEP_NAMES[each]}` : label
  return { data, drawn: barData, facts, summary, readout: { ...shown, data, facts, label: idleLabel, idle } }
}

/** The days of a month or the months of a year, each bar opening what it holds. Keep `series` stable between renders. */
export function PeriodBars(props: PeriodBarsProps) {
  const { title, starts, onOpen, knownUntil } = props
  const [index, setIndex] = useState<number | null>(null)
  const { data, drawn, facts, summary, readout } = usePeriodBars(props)
  const open = onOpen && ((at: number) => onOpen(dayOf(starts[at] ?? 0)))
  const onKeyDown = (event: KeyboardEvent) => {
    const next = getNextBarIndex(event.key, index, starts.length)
    if (next !== undefined) setIndex(next)
    else if (event.key === 'Enter' && index !== null && open) open(index)
    else if (event.key === 'Escape') setIndex(null)
    else return
    event.preventDefault()
  }
  return (
    <ExplorerFrame title={title} summary={summary} shown={data} knownUntil={knownUntil}>
      <Readout {...readout} index={index} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Curseur des barres\u00a0: ${title}${onOpen ? '. Entrée ouvre la période' : ''}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, starts.length - 1)}
        aria-valuenow={index ?? 0}
        aria-valuetext={describeInstant(data, index ?? 0)}
        onKeyDown={onKeyDown}
        className="min-w-0 rounded-md"
      >
        <Bars unit={data.unit} bars={drawn.bars} series={drawn.layers} index={index} onIndex={setIndex} onOpen={open} />
      </div>
      <MarkLegend facts={facts} nights={false} stepName={STEP_NAMES[props.each]} />
    </ExplorerFrame>
  )
}

/** Layers become the bar; lines become levels across it. A line alone is the bar itself. */
export function toBars({ times, series }: ChartData, each: 'day' | 'month') {
  const isLayer = (one: ChartData['series'][number]) => one.kind === 'stacked' || one.kind === 'area'
  const layers = series.filter(isLayer)
  const lines = series.filter((one) => !isLayer(one))
  // Beyond a year a month alone names two bars.
  const monthOf = (day: string) =>
    times.length > 12 ? `${formatShortMonth(day)} ${day.slice(2, 4)}` : formatShortMonth(day)
  const bars = times.map((seconds, index): Bar => {
    const day = dayOf(seconds / 60)
    return {
      label: each === 'day' ? formatAxisDay(day) : monthOf(day),
      short: each === 'day' ? String(Number(day.slice(8))) : undefined,
      values: layers.map((one) => one.values[index] ?? null),
      before: layers.length > 0 && layers.every((one) => isBeforeEntry(one, index)),
      levels: lines.map((one) => ({ value: one.values[index] ?? null, color: one.color, dashed: one.kind !== 'line' })),
    }
  })
  return { bars, layers }
}

/** The bar a key leads to. */
export function getNextBarIndex(key: string, index: number | null, count: number) {
  const moves: Record<string, number> = {
    ArrowLeft: Math.max(0, (index ?? 1) - 1),
    ArrowRight: Math.min(count - 1, (index ?? -1) + 1),
    Home: 0,
    End: count - 1,
  }
  return moves[key]
}
