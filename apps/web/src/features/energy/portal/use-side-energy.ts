import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { useMemo } from 'react'
import { query } from '../../../lib/queries.ts'
import {
  comparedOf,
  granularityOf,
  minuteOf,
  seriesOf,
  type Told,
  untilNow,
} from '../../../ui/energy-explorer/columns.ts'
import type { Against } from '../../../ui/energy-explorer/use-energy.ts'
import { lastYearOf, type Period, previousOf } from '../../../ui/period/period.ts'
import { savedPerKwh } from './figures.ts'
import { entryOf, type Mine } from './my-points.ts'
import { fromEntry, named, sideOf } from './sided.ts'

export type View = { period: Period; curve: boolean; told: Told; against: Against; unitPrice: number | null }
const WORDS = { none: '', previous: 'période précédente', 'last-year': 'année précédente' }

/** Sums and curves of one side over a period, with another period laid over them where it is asked for. */
export function useSideEnergy(mine: Mine, { period, curve, told, against, unitPrice }: View) {
  const { side, battery, where } = mine
  const entry = entryOf(mine)
  const granularity = granularityOf(period, curve)
  const asked = ({ from, to }: Period) => ({ ...where, from, to })
  const other = against === 'last-year' ? lastYearOf(period) : previousOf(period)
  const summary = useQuery({ ...query(energy.summary, { query: asked(period) }), placeholderData: keepPreviousData })
  const series = useQuery(query(energy.series, { query: { ...asked(period), granularity } }))
  const before = useQuery({
    ...query(energy.series, { query: { ...asked(other), granularity } }),
    enabled: against !== 'none',
  })
  const gramsPerKwh = summary.data ? savedPerKwh(summary.data) : 0
  const drawn = useMemo(() => {
    if (!series.data) return null
    const data = untilNow(fromEntry(series.data, entry, period.to))
    const factors = { unitPrice, gramsPerKwh }
    const compared =
      against !== 'none' && before.data
        ? comparedOf(sideOf(before.data, side), { told, factors, length: data.starts.length, words: WORDS[against] })
        : []
    return {
      series: named([...seriesOf(sideOf(data, side), told, factors), ...compared], { side, battery }),
      starts: data.starts.map(minuteOf),
      step: data.step ?? 0,
    }
  }, [series.data, before.data, entry, period.to, side, battery, told, against, unitPrice, gramsPerKwh])
  return { summary, series, drawn, granularity }
}
