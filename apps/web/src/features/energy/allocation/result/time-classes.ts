import { useQueries, useQuery } from '@tanstack/react-query'
import { allocations, type Run, type RunPoint } from '@voisol/contract/allocations'
import { daysBetween } from '@voisol/energy/calendar'
import type { z } from 'zod'
import { query } from '../../../../lib/queries.ts'
import { TIME_CLASS_ORDER, type TimeClass, toWattHours } from '../labels.tsx'

export type TimeClassSplit = Partial<Record<TimeClass, { total: number; local: number }>>
type RunPointRows = z.infer<typeof RunPoint>[]

/** Watt-hours of each point by class, added up over the runs. */
function sumByTimeClass(results: RunPointRows[]): Map<string, TimeClassSplit> {
  const sums = new Map<string, TimeClassSplit>()
  for (const { pointId, classes } of results.flat()) {
    const own = sums.get(pointId) ?? {}
    for (const name of TIME_CLASS_ORDER) {
      const added = classes[name]
      if (!added) continue
      const { total = 0, local = 0 } = own[name] ?? {}
      own[name] = { total: total + toWattHours(added.total), local: local + toWattHours(added.local) }
    }
    sums.set(pointId, own)
  }
  return sums
}

const RUN_LIST_QUERY = { size: 100 }

/** Time classes are kept run by run: they are shown where whole runs make up the period. */
export function useTimeClasses(operationId: string, period: { from: string; to: string }, enabled: boolean) {
  const list = useQuery({
    ...query(allocations.list, { params: { id: operationId }, query: RUN_LIST_QUERY }),
    enabled: enabled,
  })
  const runs = list.data && list.data.total <= RUN_LIST_QUERY.size ? findExactRuns(list.data.items, period) : null
  const results = useQueries({
    queries: (enabled ? (runs ?? []) : []).map(({ id }) => query(allocations.points, { params: { id } })),
  })
  const loaded = results.flatMap(({ data }) => (data ? [data.items] : []))
  const isReady = list.data !== undefined && loaded.length === results.length
  const sums = isReady ? sumByTimeClass(loaded) : new Map<string, TimeClassSplit>()
  return {
    isReady,
    error: list.error ?? results.find(({ error }) => error)?.error ?? null,
    exact: runs !== null,
    sums,
    shown: TIME_CLASS_ORDER.filter((name) => [...sums.values()].some((split) => (split[name]?.total ?? 0) > 0)),
  }
}

type DateRange = { from: string; to: string }

const isInForceDuring =
  ({ from, to }: DateRange) =>
  (run: Run) =>
    run.status === 'done' && run.daysInForce > 0 && run.from < to && run.to > from

/**
 * The runs whose whole results make up the period: each lies within it and holds for all of its days.
 * Null where a run is cut by the period or by another run: its classes would count days that are not meant.
 */
export function findExactRuns(runs: Run[], period: DateRange): Run[] | null {
  const runsInForce = runs.filter(isInForceDuring(period))
  const whole = (run: Run) =>
    run.from >= period.from && run.to <= period.to && run.daysInForce === daysBetween(run.from, run.to)
  return runsInForce.every(whole) ? runsInForce : null
}
