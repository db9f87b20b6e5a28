import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type EnergySeries, type EnergySummary, energy } from '@voisol/contract/energy'
import { useCallback, useMemo } from 'react'
import { query } from '../../lib/queries.ts'
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
import { alignFocus, type DayRange, type ExplorerData, toFinerSeries, useCurveFocus } from './use-focus.ts'

/** What is looked at: an operation, a participant or a point; nothing means all that the reader may see. */
export type EnergyScope = { operationId?: string; participantId?: string; pointId?: string }
export type ComparisonMode = 'none' | 'previous' | 'last-year'
export type EnergyView = { period: Period; curve: boolean; told: DisplayUnit; against: ComparisonMode; side: Side }

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
