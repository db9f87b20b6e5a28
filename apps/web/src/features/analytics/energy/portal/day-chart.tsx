import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { getSideTexts } from '@voisol/contract/side-texts'
import { addDays } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { Card } from '../../../../components/card.tsx'
import { PeriodBars } from '../../../../components/curve-explorer/period-bars.tsx'
import { buildExplorerSeries, toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatDayRange } from '../../../../components/period/period-labels.ts'
import { query } from '../../../../lib/queries.ts'
import { getEntryDay, type OwnSide, type ReadingMonth } from './my-points.ts'
import { markBeforeEntry, relabelSeries, restrictToSide } from './restrict-to-side.ts'

const STACKED_SERIES = ['allocated', 'complement', 'surplus']

/** The days of the month, each a stack; a day opens its hours. */
export function MonthDaysChart({ mine, month: { days } }: { mine: OwnSide; month: ReadingMonth }) {
  const { side, where } = mine
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(query(energy.series, { query: { ...where, ...days, granularity: 'day' } }))
  const chartData = useMemo(() => {
    if (!data) return null
    const all = buildExplorerSeries(restrictToSide(markBeforeEntry(data, getEntryDay(mine), days.to), side), 'energy', {
      unitPrice: null,
      gramsPerKwh: 0,
    })
    return {
      series: relabelSeries(all, mine).filter(({ key }) => STACKED_SERIES.includes(key)),
      starts: data.starts.map(toEpochMinute),
    }
  }, [data, side, mine, days.to])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (chartData?.series.length === 0) return null
  const open = (day: string) => navigate(`/client-portal/${side}?unit=day&from=${day}&to=${addDays(day, 1)}`)
  return (
    <Card>
      {chartData ? (
        <PeriodBars
          title={getSideTexts(mine).days}
          {...chartData}
          each="day"
          idle="mean"
          label={formatDayRange(days.from, addDays(days.to, -1))}
          onOpen={open}
        />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </Card>
  )
}
