import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy, type Summary } from '@voisol/contract/energy'
import { useMemo } from 'react'
import { query } from '../../lib/queries.ts'
import type { ExplorerSeries } from '../curve-explorer/model.ts'
import { lastYearOf, type Period, previousOf } from '../period/period.ts'
import {
  comparedOf,
  type Factors,
  granularityOf,
  minuteOf,
  type Side,
  seriesOf,
  sideOf,
  type Told,
  untilNow,
} from './columns.ts'

/** What is looked at: an operation, a participant or a point; nothing means all that the reader may see. */
export type Where = { operationId?: string; participantId?: string; pointId?: string }
export type Against = 'none' | 'previous' | 'last-year'
export type View = { period: Period; curve: boolean; told: Told; against: Against; side: Side }

export const AGAINST = {
  none: 'Sans comparaison',
  previous: 'Période précédente',
  'last-year': 'Année précédente',
} as const
const words = { none: '', previous: 'période précédente', 'last-year': 'année précédente' }

export const selectionOf = (where: Where, { from, to }: Period) => ({ ...where, from, to })

const comparedPeriod = (against: Against, period: Period) =>
  against === 'last-year' ? lastYearOf(period) : previousOf(period)

/** The kilowatt-hour a panel gives instead of one from the grid. */
const gramsOf = (summary: Summary | undefined) =>
  summary ? summary.co2.gridGramsPerKwh - summary.co2.solarGramsPerKwh : 0

export function useEnergy(where: Where, view: View, unitPrice: number | null) {
  const { period, curve, told, against, side } = view
  const granularity = granularityOf(period, curve)
  const summary = useQuery({
    ...query(energy.summary, { query: selectionOf(where, period) }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery(query(energy.series, { query: { ...selectionOf(where, period), granularity } }))
  const other = useQuery({
    ...query(energy.series, { query: { ...selectionOf(where, comparedPeriod(against, period)), granularity } }),
    enabled: against !== 'none',
  })
  const gramsPerKwh = gramsOf(summary.data)
  const drawn = useMemo(() => {
    if (!series.data) return null
    const factors: Factors = { unitPrice, gramsPerKwh }
    const data = untilNow(series.data)
    const length = data.starts.length
    const sided = (all: ExplorerSeries[]) => (curve ? all : sideOf(all, side))
    const compared =
      against !== 'none' && other.data ? comparedOf(other.data, { length, told, factors, words: words[against] }) : []
    return {
      series: sided([...seriesOf(data, told, factors), ...compared]),
      starts: data.starts.map(minuteOf),
      step: data.step ?? 0,
    }
  }, [series.data, other.data, told, against, side, curve, unitPrice, gramsPerKwh])
  return { summary, series, drawn, granularity }
}
