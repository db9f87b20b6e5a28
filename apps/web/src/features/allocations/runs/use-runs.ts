import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { allocations, type Run } from '@voisol/contract/allocations'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { query } from '../../../lib/queries.ts'

const POLL_MS = 1000

export const isRunActive = ({ status }: Pick<Run, 'status'>) => status === 'queued' || status === 'running'

/** Every figure of the product may be another once a run has ended. */
const RUN_DEPENDENT_QUERIES = [
  allocations.list,
  energy.summary,
  energy.series,
  energy.flow,
  energy.members,
  energy.operations,
  energy.heatMap,
  keys.list,
  keys.get,
]

/** Pages, search and filter in the address; asked again every second while a run is at work. */
export function useAllocationRuns(operationId: string) {
  const [search, setSearch] = useSearchParams()
  const parsed = allocations.list.query.safeParse(Object.fromEntries(search))
  const filters = parsed.success ? parsed.data : allocations.list.query.parse({})
  const result = useQuery({
    ...query(allocations.list, { params: { id: operationId }, query: filters }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isRunActive) ? POLL_MS : false),
  })
  const setFilters = (change: Record<string, unknown>) =>
    setSearch((old) => {
      for (const [key, value] of Object.entries<unknown>({ page: 1, ...change }))
        if (value === undefined || value === '' || (key === 'page' && value === 1)) old.delete(key)
        else old.set(key, String(value))
      return old
    })
  return { ...result, filters, setFilters, items: result.data?.items ?? [], total: result.data?.total ?? 0 }
}

/** One run, followed until it ends; then whatever shows its figures is asked again. */
export function useAllocationRun(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    ...query(allocations.get, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isRunActive(state.data) ? POLL_MS : false),
  })
  const status = result.data?.status
  useEffect(() => {
    if (status !== 'done') return
    for (const { path } of RUN_DEPENDENT_QUERIES) void client.invalidateQueries({ queryKey: [path] })
  }, [client, status])
  return result
}
