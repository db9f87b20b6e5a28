import { useQueries } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { daysBetween } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { formatPointName } from '../../lib/point-name.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { cutAtNow, toEpochMinute } from '../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatPeriodLabel } from '../../ui/period/label.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { buildComparisonSeries } from './choice.ts'
import { LazyCurveExplorer } from './lazy-curve.tsx'

const MAX_QUARTER_HOUR_DAYS = 31

/** The same moments for a few points, one line each. */
export function ComparePoints({ points }: { points: Point[] }) {
  const [period, setPeriod] = usePeriod('month')
  const { from, to } = period
  const granularity = daysBetween(from, to) <= MAX_QUARTER_HOUR_DAYS ? ('15min' as const) : ('hour' as const)
  const { found, error, retry } = useQueries({
    queries: points.map(({ id }) => query(energy.series, { query: { from, to, pointId: id, granularity } })),
    combine: (results) => ({
      found: results.map(({ data }) => data),
      error: results.find((one) => one.error)?.error,
      retry: () => Promise.all(results.map((one) => one.refetch())),
    }),
  })
  const chartData = useMemo(() => {
    const known = found.flatMap((one) => (one ? [one] : []))
    const [first] = known
    if (!first || known.length < points.length) return null
    const starts = cutAtNow(first).starts
    return {
      series: buildComparisonSeries(points, known, starts.length),
      startsAt: toEpochMinute(starts[0] ?? first.starts[0] ?? ''),
      step: first.step ?? 60,
    }
  }, [found, points])
  return (
    <>
      <PeriodBar period={period} onChange={setPeriod} />
      <Card>
        {error && <ErrorState error={error} onRetry={retry} />}
        {!chartData && !error && <Skeleton className="h-96 w-full" />}
        {chartData && (
          <LazyCurveExplorer
            title={points[1] ? 'Points comparés' : `Courbe ${withDe(points[0] ? formatPointName(points[0]) : '')}`}
            {...chartData}
            label={formatPeriodLabel(period)}
          />
        )}
      </Card>
    </>
  )
}
