import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { allocations, type Run } from '@voisol/contract/allocations'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { addDays } from '@voisol/energy/calendar'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { Badge, type Tone } from '../../../../components/badge.tsx'
import { formatDayRange } from '../../../../components/period/period-labels.ts'
import { ALLOCATION_METHOD_LABELS } from '../../../../lib/energy-labels.ts'
import { query } from '../../../../lib/queries.ts'

export const RUN_KIND_LABELS = { provisional: 'Provisoire', definitive: 'Définitif' } as const

const RUN_STATUS_BADGES: Record<Run['status'], { label: string; tone: Tone }> = {
  queued: { label: 'En attente', tone: 'neutral' },
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Terminé', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
}

/** « du 1er au 30 novembre 2026 ». */
export const formatRunDays = ({ from, to }: Pick<Run, 'from' | 'to'>) => formatDayRange(from, addDays(to, -1))

export const RunBadges = ({ run }: { run: Run }) => (
  <span className="inline-flex flex-wrap gap-1.5">
    {run.status !== 'done' && (
      <Badge tone={RUN_STATUS_BADGES[run.status].tone}>{RUN_STATUS_BADGES[run.status].label}</Badge>
    )}
    {run.status === 'done' && (
      <Badge tone={run.kind === 'definitive' ? 'success' : 'info'}>{RUN_KIND_LABELS[run.kind]}</Badge>
    )}
    {run.estimated && <Badge tone="warning">Avec estimations</Badge>}
    {run.signOff && <Badge tone="warning">Données incomplètes</Badge>}
    {run.staleAt && <Badge tone="warning">À rectifier</Badge>}
  </span>
)

const getMethodName = (method: string) =>
  Object.entries(ALLOCATION_METHOD_LABELS).find(([name]) => name === method)?.[1].label ?? method

/** « version 2, Statique ». */
export const formatRunKeys = ({ keys }: Pick<Run, 'keys'>) =>
  keys.map(({ number, method }) => `version ${number} (${getMethodName(method)})`).join(', ') || 'aucune'

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
