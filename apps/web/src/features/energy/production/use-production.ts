import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { useMemo } from 'react'
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
import { lastYearOf, type Period, previousOf } from '../../../ui/period/period.ts'
import { asSeries } from './columns.ts'

export type View = { period: Period; operationId: string | undefined; curve: boolean; told: Told; against: Against }

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

export function useProduction({ period, operationId, curve, told, against }: View) {
  const unitPrice = usePrice(operationId)
  const granularity = granularityOf(period, curve || period.unit === DAY)
  const other = against === 'last-year' ? lastYearOf(period) : previousOf(period)
  const ask = ({ from, to }: Period) => ({ query: { operationId, startDate: from, endDate: to, granularity } })
  const summary = useQuery({
    ...query(energy.summary, { query: { operationId, from: period.from, to: period.to } }),
    placeholderData: keepPreviousData,
  })
  const own = useQuery(query(energy.production, ask(period)))
  const beside = useQuery({ ...query(energy.production, ask(other)), enabled: against !== 'none' })
  const co2 = summary.data?.co2
  const gramsPerKwh = co2 ? co2.gridGramsPerKwh - co2.solarGramsPerKwh : 0
  const drawn = useMemo(() => {
    if (!own.data) return null
    const factors: Factors = { unitPrice, gramsPerKwh }
    const data = untilNow(asSeries(own.data, granularity))
    const options = { length: data.starts.length, told, factors, words: lower(AGAINST[against]) }
    const compared = against !== 'none' && beside.data ? comparedOf(asSeries(beside.data, granularity), options) : []
    return {
      series: [...seriesOf(data, told, factors), ...compared],
      starts: data.starts.map(minuteOf),
      step: data.step ?? 0,
    }
  }, [own.data, beside.data, granularity, told, against, unitPrice, gramsPerKwh])
  return { summary, own, drawn, granularity, unitPrice }
}
