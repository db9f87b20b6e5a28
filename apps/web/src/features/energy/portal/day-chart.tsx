import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { wordsOf } from '@voisol/contract/side-words'
import { addDays } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { PeriodBars } from '../../../ui/curve-explorer/period-bars.tsx'
import { minuteOf, seriesOf } from '../../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { daysLabel } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { entryOf, type Mine } from './my-points.ts'
import { fromEntry, named, sideOf } from './sided.ts'
import type { Month } from './use-month.ts'

const LAYERS = ['allocated', 'complement', 'surplus']

/** The days of the month, each a stack; a day opens its hours. */
export function DayChart({ mine, month: { days } }: { mine: Mine; month: Month }) {
  const { side, where } = mine
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(query(energy.series, { query: { ...where, ...days, granularity: 'day' } }))
  const drawn = useMemo(() => {
    if (!data) return null
    const all = seriesOf(sideOf(fromEntry(data, entryOf(mine), days.to), side), 'energy', {
      unitPrice: null,
      gramsPerKwh: 0,
    })
    return { series: named(all, mine).filter(({ key }) => LAYERS.includes(key)), starts: data.starts.map(minuteOf) }
  }, [data, side, mine, days.to])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (drawn?.series.length === 0) return null
  const open = (day: string) => navigate(`/client-portal/${side}?unit=day&from=${day}&to=${addDays(day, 1)}`)
  return (
    <Card>
      {drawn ? (
        <PeriodBars
          title={wordsOf(mine).days}
          {...drawn}
          each="day"
          idle="mean"
          label={daysLabel(days.from, addDays(days.to, -1))}
          onOpen={open}
        />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </Card>
  )
}
