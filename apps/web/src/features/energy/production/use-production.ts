import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Reply } from '@voisol/contract/endpoint'
import { energy, type Granularity } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { useCallback, useMemo } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import {
  comparedOf,
  type Factors,
  granularityOf,
  minuteOf,
  seriesOf,
  type Told,
  untilNow,
} from '../../../ui/energy-explorer/columns.ts'
import { AGAINST, type Against } from '../../../ui/energy-explorer/use-energy.ts'
import { alongside, asFiner, type Days, type Drawn, useFocus } from '../../../ui/energy-explorer/use-focus.ts'
import { lastYearOf, type Period, previousOf } from '../../../ui/period/period.ts'
import { asSeries } from './columns.ts'

export type View = { period: Period; operationId: string | undefined; curve: boolean; told: Told; against: Against }

type Production = Reply<typeof energy.production>
const DAY = 'day'
const lower = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)

/** Money needs one price: that of the operation that is looked at. */
export function usePrice(operationId: string | undefined) {
  const sees = useCan()(operations.get)
  const { data } = useQuery({
    ...query(operations.get, { params: { id: operationId ?? '' } }),
    enabled: operationId !== undefined && sees,
  })
  return operationId === undefined ? null : (data?.unitPrice ?? null)
}

export function useProduction({ period, operationId, curve, told, against }: View, room: number) {
  const unitPrice = usePrice(operationId)
  const granularity = granularityOf(period, curve || period.unit === DAY, room)
  const other = against === 'last-year' ? lastYearOf(period) : previousOf(period)
  const { focus, onSpan } = useFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const ask = ({ from, to }: Days, step = granularity) =>
    query(energy.production, { query: { operationId, startDate: from, endDate: to, granularity: step } })
  const part = focus ?? { ...period, granularity }
  const partBeside = focus ? alongside(focus, period, other) : other
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({
    ...query(energy.summary, { query: { operationId, from: period.from, to: period.to } }),
    placeholderData: keepPreviousData,
  })
  const own = useQuery(ask(period))
  const beside = useQuery({ ...ask(other), enabled: compares })
  const fine = useQuery({ ...ask(part, part.granularity), enabled: zooms })
  const fineBeside = useQuery({ ...ask(partBeside, part.granularity), enabled: zooms && compares })
  const co2 = summary.data?.co2
  const gramsPerKwh = co2 ? co2.gridGramsPerKwh - co2.solarGramsPerKwh : 0
  const draw = useCallback(
    (found: Production, before: Production | undefined, step: Granularity): Drawn => {
      const factors: Factors = { unitPrice, gramsPerKwh }
      const data = untilNow(asSeries(found, step))
      const options = { length: data.starts.length, told, factors, words: lower(AGAINST[against]) }
      const compared = against !== 'none' && before ? comparedOf(asSeries(before, step), options) : []
      return {
        series: [...seriesOf(data, told, factors), ...compared],
        starts: data.starts.map(minuteOf),
        step: data.step ?? 0,
      }
    },
    [told, against, unitPrice, gramsPerKwh],
  )
  const drawn = useMemo(
    () => own.data && draw(own.data, beside.data, granularity),
    [own.data, beside.data, granularity, draw],
  )
  const finest = focus?.granularity
  const finer = useMemo(
    () => (finest && fine.data ? asFiner(draw(fine.data, fineBeside.data, finest)) : null),
    [finest, fine.data, fineBeside.data, draw],
  )
  return { summary, own, drawn, granularity, unitPrice, zoom: curve ? { onSpan, finer } : undefined }
}
