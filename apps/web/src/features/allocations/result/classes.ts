import { useQueries, useQuery } from '@tanstack/react-query'
import { allocations, type RunPoint } from '@voisol/contract/allocations'
import type { z } from 'zod'
import { query } from '../../../lib/queries.ts'
import { CLASS_ORDER, type TimeClass, wattHours } from '../words.tsx'
import { exactRuns } from './exact-runs.ts'

export type Split = Partial<Record<TimeClass, { total: number; local: number }>>
type Points = z.infer<typeof RunPoint>[]

/** Watt-hours of each point by class, added up over the runs. */
export function sumClasses(results: Points[]): Map<string, Split> {
  const sums = new Map<string, Split>()
  for (const { pointId, classes } of results.flat()) {
    const own = sums.get(pointId) ?? {}
    for (const name of CLASS_ORDER) {
      const added = classes[name]
      if (!added) continue
      const { total = 0, local = 0 } = own[name] ?? {}
      own[name] = { total: total + wattHours(added.total), local: local + wattHours(added.local) }
    }
    sums.set(pointId, own)
  }
  return sums
}

const LIST = { size: 100 }

/** Time classes are kept run by run: they are shown where whole runs make up the period. */
export function useClasses(operationId: string, period: { from: string; to: string }, wanted: boolean) {
  const list = useQuery({
    ...query(allocations.list, { params: { id: operationId }, query: LIST }),
    enabled: wanted,
  })
  const runs = list.data && list.data.total <= LIST.size ? exactRuns(list.data.items, period) : null
  const results = useQueries({
    queries: (wanted ? (runs ?? []) : []).map(({ id }) => query(allocations.points, { params: { id } })),
  })
  const loaded = results.flatMap(({ data }) => (data ? [data.items] : []))
  const isReady = list.data !== undefined && loaded.length === results.length
  const sums = isReady ? sumClasses(loaded) : new Map<string, Split>()
  return {
    isReady,
    error: list.error ?? results.find(({ error }) => error)?.error ?? null,
    exact: runs !== null,
    sums,
    shown: CLASS_ORDER.filter((name) => [...sums.values()].some((split) => (split[name]?.total ?? 0) > 0)),
  }
}
