import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type EnergySeries, energy } from '@voisol/contract/energy'
import { useCallback, useMemo } from 'react'
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
import { alongside, asFiner, type Days, type Drawn, useFocus } from '../../../ui/energy-explorer/use-focus.ts'
import { lastYearOf, type Period, previousOf } from '../../../ui/period/period.ts'
import { savedPerKwh } from './figures.ts'
import { entryOf, type Mine } from './my-points.ts'
import { fromEntry, named, sideOf } from './sided.ts'

export type View = { period: Period; curve: boolean; told: Told; against: Against; unitPrice: number | null }
const WORDS = { none: '', previous: 'période précédente', 'last-year': 'année précédente' }

/** Sums and curves of one side over a period, with another period laid over them where it is asked for. */
export function useSideEnergy(mine: Mine, view: View, room: number) {
  const { side, battery, where } = mine
  const { period, curve, told, against, unitPrice } = view
  const entry = entryOf(mine)
  const granularity = granularityOf(period, curve, room)
  const other = against === 'last-year' ? lastYearOf(period) : previousOf(period)
  const { focus, onSpan } = useFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const asked = ({ from, to }: Days) => ({ ...where, from, to })
  const ask = (days: Days, step = granularity) =>
    query(energy.series, { query: { ...asked(days), granularity: step, ...(curve && { width: room }) } })
  const part = focus ?? { ...period, granularity }
  const partBefore = focus ? alongside(focus, period, other) : other
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({ ...query(energy.summary, { query: asked(period) }), placeholderData: keepPreviousData })
  const series = useQuery(ask(period))
  const before = useQuery({ ...ask(other), enabled: compares })
  const fine = useQuery({ ...ask(part, part.granularity), enabled: zooms })
  const fineBefore = useQuery({ ...ask(partBefore, part.granularity), enabled: zooms && compares })
  const gramsPerKwh = summary.data ? savedPerKwh(summary.data) : 0
  const draw = useCallback(
    (found: EnergySeries, beside: EnergySeries | undefined): Drawn => {
      const data = untilNow(fromEntry(found, entry, period.to))
      const factors = { unitPrice, gramsPerKwh }
      const compared =
        against !== 'none' && beside
          ? comparedOf(sideOf(beside, side), { told, factors, length: data.starts.length, words: WORDS[against] })
          : []
      return {
        series: named([...seriesOf(sideOf(data, side), told, factors), ...compared], { side, battery }),
        starts: data.starts.map(minuteOf),
        step: data.step ?? 0,
      }
    },
    [entry, period.to, side, battery, told, against, unitPrice, gramsPerKwh],
  )
  const drawn = useMemo(() => series.data && draw(series.data, before.data), [series.data, before.data, draw])
  const finer = useMemo(
    () => (zooms && fine.data ? asFiner(draw(fine.data, fineBefore.data)) : null),
    [zooms, fine.data, fineBefore.data, draw],
  )
  return { summary, series, drawn, granularity, zoom: curve ? { onSpan, finer } : undefined }
}
