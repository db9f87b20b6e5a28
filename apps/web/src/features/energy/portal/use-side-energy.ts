import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type EnergySeries, energy } from '@voisol/contract/energy'
import { useCallback, useMemo } from 'react'
import { query } from '../../../lib/queries.ts'
import {
  buildComparedSeries,
  buildExplorerSeries,
  chooseGranularity,
  cutAtNow,
  type DisplayUnit,
  toEpochMinute,
} from '../../../ui/energy-explorer/columns.ts'
import type { ComparisonMode } from '../../../ui/energy-explorer/use-energy.ts'
import {
  alignFocus,
  type DayRange,
  type ExplorerData,
  toFinerSeries,
  useCurveFocus,
} from '../../../ui/energy-explorer/use-focus.ts'
import { getPeriodOfLastYear, getPreviousPeriod, type Period } from '../../../ui/period/period.ts'
import { getSavedGramsPerKwh } from './figures.ts'
import { getEntryDay, type OwnSide } from './my-points.ts'
import { markBeforeEntry, relabelSeries, restrictToSide } from './sided.ts'

export type SideEnergyView = {
  period: Period
  curve: boolean
  told: DisplayUnit
  against: ComparisonMode
  unitPrice: number | null
}
const COMPARISON_LABELS = { none: '', previous: 'période précédente', 'last-year': 'année précédente' }

/** Sums and curves of one side over a period, with another period laid over them where it is asked for. */
export function useSideEnergy(mine: OwnSide, view: SideEnergyView, room: number) {
  const { side, battery, where } = mine
  const { period, curve, told, against, unitPrice } = view
  const entry = getEntryDay(mine)
  const granularity = chooseGranularity(period, curve, room)
  const other = against === 'last-year' ? getPeriodOfLastYear(period) : getPreviousPeriod(period)
  const { focus, onSpan } = useCurveFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const buildFilter = ({ from, to }: DayRange) => ({ ...where, from, to })
  const buildSeriesQuery = (days: DayRange, step = granularity) =>
    query(energy.series, { query: { ...buildFilter(days), granularity: step, ...(curve && { width: room }) } })
  const focusedRange = focus ?? { ...period, granularity }
  const comparedRange = focus ? alignFocus(focus, period, other) : other
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({
    ...query(energy.summary, { query: buildFilter(period) }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery(buildSeriesQuery(period))
  const before = useQuery({ ...buildSeriesQuery(other), enabled: compares })
  const fine = useQuery({ ...buildSeriesQuery(focusedRange, focusedRange.granularity), enabled: zooms })
  const fineBefore = useQuery({
    ...buildSeriesQuery(comparedRange, focusedRange.granularity),
    enabled: zooms && compares,
  })
  const gramsPerKwh = summary.data ? getSavedGramsPerKwh(summary.data) : 0
  const buildChartData = useCallback(
    (found: EnergySeries, beside: EnergySeries | undefined): ExplorerData => {
      const data = cutAtNow(markBeforeEntry(found, entry, period.to))
      const factors = { unitPrice, gramsPerKwh }
      const compared =
        against !== 'none' && beside
          ? buildComparedSeries(restrictToSide(beside, side), {
              told,
              factors,
              length: data.starts.length,
              words: COMPARISON_LABELS[against],
            })
          : []
      return {
        series: relabelSeries([...buildExplorerSeries(restrictToSide(data, side), told, factors), ...compared], {
          side,
          battery,
        }),
        starts: data.starts.map(toEpochMinute),
        step: data.step ?? 0,
      }
    },
    [entry, period.to, side, battery, told, against, unitPrice, gramsPerKwh],
  )
  const chartData = useMemo(
    () => series.data && buildChartData(series.data, before.data),
    [series.data, before.data, buildChartData],
  )
  const finer = useMemo(
    () => (zooms && fine.data ? toFinerSeries(buildChartData(fine.data, fineBefore.data)) : null),
    [zooms, fine.data, fineBefore.data, buildChartData],
  )
  return { summary, series, drawn: chartData, granularity, zoom: curve ? { onSpan, finer } : undefined }
}
