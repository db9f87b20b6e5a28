import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type EnergySeries, energy, type Summary } from '@voisol/contract/energy'
import { useCallback, useMemo } from 'react'
import { query } from '../../lib/queries.ts'
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
import { alongside, asFiner, type Days, type Drawn, useFocus } from './use-focus.ts'

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

export function useEnergy(where: Where, view: View, unitPrice: number | null, room: number) {
  const { period, curve, told, against, side } = view
  const granularity = granularityOf(period, curve, room)
  const before = comparedPeriod(against, period)
  const { focus, onSpan } = useFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const ask = ({ from, to }: Days, step = granularity) =>
    query(energy.series, { query: { ...where, from, to, granularity: step, ...(curve && { width: room }) } })
  const part = focus ?? { ...period, granularity }
  const partBefore = focus ? alongside(focus, period, before) : { ...before, granularity }
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({
    ...query(energy.summary, { query: selectionOf(where, period) }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery(ask(period))
  const other = useQuery({ ...ask(before), enabled: compares })
  const fine = useQuery({ ...ask(part, part.granularity), enabled: zooms })
  const fineOther = useQuery({ ...ask(partBefore, part.granularity), enabled: zooms && compares })
  const gramsPerKwh = gramsOf(summary.data)
  const draw = useCallback(
    (found: EnergySeries, beside: EnergySeries | undefined): Drawn => {
      const factors: Factors = { unitPrice, gramsPerKwh }
      const data = untilNow(found)
      const length = data.starts.length
      const compared =
        against !== 'none' && beside ? comparedOf(beside, { length, told, factors, words: words[against] }) : []
      const all = [...seriesOf(data, told, factors), ...compared]
      return { series: curve ? all : sideOf(all, side), starts: data.starts.map(minuteOf), step: data.step ?? 0 }
    },
    [told, against, side, curve, unitPrice, gramsPerKwh],
  )
  const drawn = useMemo(() => series.data && draw(series.data, other.data), [series.data, other.data, draw])
  const finer = useMemo(
    () => (zooms && fine.data ? asFiner(draw(fine.data, fineOther.data)) : null),
    [zooms, fine.data, fineOther.data, draw],
  )
  return { summary, series, drawn, granularity, zoom: curve ? { onSpan, finer } : undefined }
}
