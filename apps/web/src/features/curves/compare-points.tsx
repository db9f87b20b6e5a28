import { useQueries } from '@tanstack/react-query'
import { of } from '@voisol/contract/elision'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { pointName } from '../../lib/point-name.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { minuteOf, untilNow } from '../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { periodLabel } from '../../ui/period/label.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { linesOf } from './choice.ts'
import { LazyCurve } from './lazy-curve.tsx'

const FINE_DAYS = 31

/** The same moments for a few points, one line each. */
export function ComparePoints({ points }: { points: Point[] }) {
  const [period, setPeriod] = usePeriod('month')
  const { from, to } = period
  const granularity = daysBetween(from, to) <= FINE_DAYS ? ('15min' as const) : ('hour' as const)
  const { found, error, retry } = useQueries({
    queries: points.map(({ id }) => query(energy.series, { query: { from, to, pointId: id, granularity } })),
    combine: (results) => ({
      found: results.map(({ data }) => data),
      error: results.find((one) => one.error)?.error,
      retry: () => Promise.all(results.map((one) => one.refetch())),
    }),
  })
  const drawn = useMemo(() => {
    const known = found.flatMap((one) => (one ? [one] : []))
    const [first] = known
    if (!first || known.length < points.length) return null
    const starts = untilNow(first).starts
    return {
      series: linesOf(points, known, starts.length),
      startsAt: minuteOf(starts[0] ?? first.starts[0] ?? ''),
      step: first.step ?? 60,
    }
  }, [found, points])
  return (
    <>
      <PeriodBar period={period} onChange={setPeriod} />
      <Card>
        {error && <ErrorState error={error} onRetry={retry} />}
        {!drawn && !error && <Skeleton className="h-96 w-full" />}
        {drawn && (
          <LazyCurve
            title={points[1] ? 'Points comparés' : `Courbe ${of(points[0] ? pointName(points[0]) : '')}`}
            {...drawn}
            label={periodLabel(period)}
          />
        )}
      </Card>
    </>
  )
}
