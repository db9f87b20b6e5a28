import { dayOf } from '@voisol/energy/calendar'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { Bars } from '../chart/bars.tsx'
import { describeInstant } from '../chart/text.ts'
import { formatFullDay, formatMonthYear } from '../period/label.ts'
import { getNextBarIndex, toBars } from './bars-of.ts'
import { ExplorerFrame } from './explorer-frame.tsx'
import { MarkLegend } from './mark-legend.tsx'
import { type CurveMeasure, measures } from './measure.ts'
import { buildChartData, type ExplorerSeries, sortSeries, summarizeIndexRange } from './model.ts'
import { type IdleReadout, Readout } from './readout.tsx'
import { buildCurveSummary } from './summary.ts'
import { capitalize } from './use-explorer.ts'

export type PeriodBarsProps = {
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
