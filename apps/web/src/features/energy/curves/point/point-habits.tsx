import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { useMemo } from 'react'
import { Card } from '../../../../components/card.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { HeatMap } from '../../../../components/heat-map/heat-map.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { buildPeriod, getTodayInParis, type Period } from '../../../../components/period/period.ts'
import { getMeterCountLabel } from '../../../../lib/energy-labels.ts'
import { query } from '../../../../lib/queries.ts'

/** A few days make no habit: the month that holds them is shown. */
const widenToMonth = (period: Period) =>
  period.unit === 'day' || period.unit === 'week' ? buildPeriod('month', period.from) : period

/** Hour by day: when the point draws or gives. */
export default function PointHabits({ point, period }: { point: Point; period: Period }) {
  const produces = point.direction === 'production'
  const { from, to } = widenToMonth(period)
  const measure = produces ? ('produced' as const) : ('consumed' as const)
  const { data, error, refetch } = useQuery({
    ...query(energy.heatMap, { query: { from, to, pointId: point.id, measure } }),
    placeholderData: keepPreviousData,
  })
  // What has not begun cannot be missing.
  const shown = useMemo(() => {
    const days = data?.days.filter((day) => day <= getTodayInParis())
    return data && days && (days.length > 0 ? { days, hours: data.hours.slice(0, days.length) } : null)
  }, [data])
  if (shown === null) return null
  return (
    <Card>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!shown && !error && <Skeleton className="h-64 w-full" />}
      {shown && (
        <HeatMap
          title={`${getMeterCountLabel(point)} heure par heure`}
          data={shown}
          hue={produces ? 'amber' : 'blue'}
        />
      )}
    </Card>
  )
}
