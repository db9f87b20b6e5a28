import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { type EnergySeries, energy, type Granularity } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { useCallback, useMemo } from 'react'
import {
  buildComparedSeries,
  buildExplorerSeries,
  type ConversionFactors,
  chooseGranularity,
  cutAtNow,
  type DisplayUnit,
  toEpochMinute,
} from '../../../../components/energy-explorer/columns.ts'
import {
  alignFocus,
  COMPARISON_MODE_LABELS,
  type ComparisonMode,
  type DayRange,
  type ExplorerData,
  toFinerSeries,
  useCurveFocus,
} from '../../../../components/energy-explorer/use-energy.ts'
import { getPeriodOfLastYear, getPreviousPeriod, type Period } from '../../../../components/period/period.ts'
import { useCan } from '../../../../lib/can.tsx'
import { query } from '../../../../lib/queries.ts'

type ProductionView = {
  period: Period
  operationId: string | undefined
  curve: boolean
  told: DisplayUnit
  against: ComparisonMode
}

type ProductionReply = EndpointReply<typeof energy.production>
const DAY_UNIT = 'day'
const lowercaseFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)

/** Money needs one price: that of the operation that is looked at. */
function useOperationPrice(operationId: string | undefined) {
  const canRead = useCan()(operations.get)
  const { data } = useQuery({
    ...query(operations.get, { params: { id: operationId ?? '' } }),
    enabled: operationId !== undefined && canRead,
  })
  return operationId === undefined ? null : (data?.unitPrice ?? null)
}

export function useProduction({ period, operationId, curve, told, against }: ProductionView, room: number) {
  const unitPrice = useOperationPrice(operationId)
  const granularity = chooseGranularity(period, curve || period.unit === DAY_UNIT, room)
  const other = against === 'last-year' ? getPeriodOfLastYear(period) : getPreviousPeriod(period)
  const { focus, onSpan } = useCurveFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const buildQuery = ({ from, to }: DayRange, step = granularity) =>
    query(energy.production, { query: { operationId, startDate: from, endDate: to, granularity: step } })
  const focusedRange = focus ?? { ...period, granularity }
  const comparedRange = focus ? alignFocus(focus, period, other) : other
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({
    ...query(energy.summary, { query: { operationId, from: period.from, to: period.to } }),
    placeholderData: keepPreviousData,
  })
  const own = useQuery(buildQuery(period))
  const beside = useQuery({ ...buildQuery(other), enabled: compares })
  const fine = useQuery({ ...buildQuery(focusedRange, focusedRange.granularity), enabled: zooms })
  const fineBeside = useQuery({ ...buildQuery(comparedRange, focusedRange.granularity), enabled: zooms && compares })
  const co2 = summary.data?.co2
  const gramsPerKwh = co2 ? co2.gridGramsPerKwh - co2.solarGramsPerKwh : 0
  const buildChartData = useCallback(
    (found: ProductionReply, before: ProductionReply | undefined, step: Granularity): ExplorerData => {
      const factors: ConversionFactors = { unitPrice, gramsPerKwh }
      const data = cutAtNow(productionToEnergySeries(found, step))
      const options = {
        length: data.starts.length,
        told,
        factors,
        words: lowercaseFirst(COMPARISON_MODE_LABELS[against]),
      }
      const compared =
        against !== 'none' && before ? buildComparedSeries(productionToEnergySeries(before, step), options) : []
      return {
        series: [...buildExplorerSeries(data, told, factors), ...compared],
        starts: data.starts.map(toEpochMinute),
        step: data.step ?? 0,
      }
    },
    [told, against, unitPrice, gramsPerKwh],
  )
  const chartData = useMemo(
    () => own.data && buildChartData(own.data, beside.data, granularity),
    [own.data, beside.data, granularity, buildChartData],
  )
  const finest = focus?.granularity
  const finer = useMemo(
    () => (finest && fine.data ? toFinerSeries(buildChartData(fine.data, fineBeside.data, finest)) : null),
    [finest, fine.data, fineBeside.data, buildChartData],
  )
  return { summary, own, drawn: chartData, granularity, unitPrice, zoom: curve ? { onSpan, finer } : undefined }
}

const STEP_MINUTES: Partial<Record<Granularity, number>> = { '15min': 15, hour: 60 }
const toWh = (kwh: number | null) => (kwh === null ? null : kwh * 1000)

/** The documented answer in kWh, as the columns that the pictures draw. */
function productionToEnergySeries({ data }: ProductionReply, granularity: Granularity): EnergySeries {
  const nothing = data.map(() => null)
  return {
    granularity,
    starts: data.map(({ timestamp }) => timestamp),
    step: STEP_MINUTES[granularity] ?? null,
    produced: data.map(({ production }) => toWh(production)),
    shared: data.map(({ shared }) => toWh(shared)),
    surplus: data.map(({ surplus }) => toWh(surplus)),
    allocated: data.map(({ shared }) => toWh(shared)),
    consumed: nothing,
    complement: nothing,
    marks: [],
  }
}
