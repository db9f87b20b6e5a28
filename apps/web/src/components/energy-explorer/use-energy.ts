import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type EnergySeries, type EnergySummary, energy } from '@voisol/contract/energy'
import { chooseFinestGranularity, type Granularity, getCoarserGranularity } from '@voisol/contract/granularity'
import { addDays, dayOf, daysBetween } from '@voisol/energy/calendar'
import { useCallback, useMemo, useRef, useState } from 'react'
import { query } from '../../lib/queries.ts'
import type { TimeRange } from '../chart/series.ts'
import type { ExplorerSeries } from '../curve-explorer/explorer-model.ts'
import type { FinerSeries } from '../curve-explorer/use-explorer.ts'
import { getPeriodOfLastYear, getPreviousPeriod, type Period } from '../period/period.ts'
import {
  buildComparedSeries,
  buildExplorerSeries,
  type ConversionFactors,
  chooseGranularity,
  cutAtNow,
  type DisplayUnit,
  filterSideSeries,
  type Side,
  toEpochMinute,
} from './columns.ts'

/** What is looked at: an operation, a participant or a point; nothing means all that the reader may see. */
export type EnergyScope = { operationId?: string; participantId?: string; pointId?: string }
export type ComparisonMode = 'none' | 'previous' | 'last-year'
type EnergyView = { period: Period; curve: boolean; told: DisplayUnit; against: ComparisonMode; side: Side }

export const COMPARISON_MODE_LABELS = {
  none: 'Sans comparaison',
  previous: 'Période précédente',
  'last-year': 'Année précédente',
} as const
const COMPARISON_WORDS = { none: '', previous: 'période précédente', 'last-year': 'année précédente' }

export const buildSelection = (where: EnergyScope, { from, to }: Period) => ({ ...where, from, to })

const getComparedPeriod = (against: ComparisonMode, period: Period) =>
  against === 'last-year' ? getPeriodOfLastYear(period) : getPreviousPeriod(period)

/** The kilowatt-hour a panel gives instead of one from the grid. */
const getSavedGrams = (summary: EnergySummary | undefined) =>
  summary ? summary.co2.gridGramsPerKwh - summary.co2.solarGramsPerKwh : 0

export function useEnergyData(where: EnergyScope, view: EnergyView, unitPrice: number | null, room: number) {
  const { period, curve, told, against, side } = view
  const granularity = chooseGranularity(period, curve, room)
  const before = getComparedPeriod(against, period)
  const { focus, onSpan } = useCurveFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const ask = ({ from, to }: DayRange, step = granularity) =>
    query(energy.series, { query: { ...where, from, to, granularity: step, ...(curve && { width: room }) } })
  const part = focus ?? { ...period, granularity }
  const partBefore = focus ? alignFocus(focus, period, before) : { ...before, granularity }
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({
    ...query(energy.summary, { query: buildSelection(where, period) }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery(ask(period))
  const other = useQuery({ ...ask(before), enabled: compares })
  const fine = useQuery({ ...ask(part, part.granularity), enabled: zooms })
  const fineOther = useQuery({ ...ask(partBefore, part.granularity), enabled: zooms && compares })
  const gramsPerKwh = getSavedGrams(summary.data)
  const draw = useCallback(
    (found: EnergySeries, beside: EnergySeries | undefined): ExplorerData => {
      const factors: ConversionFactors = { unitPrice, gramsPerKwh }
      const data = cutAtNow(found)
      const length = data.starts.length
      const compared =
        against !== 'none' && beside
          ? buildComparedSeries(beside, { length, told, factors, words: COMPARISON_WORDS[against] })
          : []
      const all = [...buildExplorerSeries(data, told, factors), ...compared]
      return {
        series: curve ? all : filterSideSeries(all, side),
        starts: data.starts.map(toEpochMinute),
        step: data.step ?? 0,
      }
    },
    [told, against, side, curve, unitPrice, gramsPerKwh],
  )
  const drawn = useMemo(() => series.data && draw(series.data, other.data), [series.data, other.data, draw])
  const finer = useMemo(
    () => (zooms && fine.data ? toFinerSeries(draw(fine.data, fineOther.data)) : null),
    [zooms, fine.data, fineOther.data, draw],
  )
  return { summary, series, drawn, granularity, zoom: curve ? { onSpan, finer } : undefined }
}

export type DayRange = { from: string; to: string }
/** Epoch minutes; all steps of one length where `step` is not 0. */
export type ExplorerData = { series: ExplorerSeries[]; starts: number[]; step: number }
type CurveFocus = DayRange & { granularity: Granularity }

/** While a finger still moves nothing is asked for. */
const FOCUS_DELAY_MS = 150

/** The days that a part of a curve lies in, where they can be had at a finer step than the whole. */
function computeFocus([from, to]: TimeRange, whole: Granularity, room: number): CurveFocus | null {
  const [first, last] = [dayOf(Math.floor(from / 60)), dayOf(Math.ceil(to / 60) - 1)]
  const end = addDays(last, 1)
  const granularity = chooseFinestGranularity(daysBetween(first, end), room)
  const finer = granularity !== whole && getCoarserGranularity(granularity, whole) === whole
  return finer && granularity !== 'day' && granularity !== 'month' ? { from: first, to: end, granularity } : null
}

/** The same days of the period that is laid over the first. */
export function alignFocus(focus: CurveFocus, period: Period, other: Period): CurveFocus {
  const from = addDays(other.from, daysBetween(period.from, focus.from))
  return { ...focus, from, to: addDays(from, daysBetween(focus.from, focus.to)) }
}

export const toFinerSeries = ({ series, starts, step }: ExplorerData): FinerSeries | null =>
  starts[0] === undefined || step === 0 ? null : { series, startsAt: starts[0], step }

/** What is looked at of a curve, a moment after the looking came to rest; another curve starts anew. */
export function useCurveFocus(whole: Granularity, room: number, key: string) {
  const [seen, setSeen] = useState<{ key: string; focus: CurveFocus | null }>({ key, focus: null })
  const timer = useRef(0)
  const onSpan = useCallback(
    (span: TimeRange) => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => setSeen({ key, focus: computeFocus(span, whole, room) }), FOCUS_DELAY_MS)
    },
    [whole, room, key],
  )
  return { focus: seen.key === key ? seen.focus : null, onSpan }
}
