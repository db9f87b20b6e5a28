import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type SyncTask, type SyncWindow, sync } from '@voisol/contract/sync'
import { useSearchParams } from 'react-router'
import { WINDOW_STATUS_LABELS } from '../../../lib/distributor-labels.ts'
import { getMeterSideLabel, toChoices } from '../../../lib/energy-labels.ts'
import { formatDate, formatNumber, formatTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import { isTaskActive } from '../../../ui/sync-state.tsx'
import type { Column } from '../../../ui/table.tsx'
import { capitalize, formatSubject, formatTaskDays } from '../words.ts'
import { CallAttempts } from './attempts.tsx'

const POLL_MS = 2000

/** Pages and filter in the address; asked again while the task is at work. */
function useWindows(task: SyncTask) {
  const [search, setSearch] = useSearchParams()
  const parsed = sync.windows.query.safeParse(Object.fromEntries(search))
  const filters = parsed.success ? parsed.data : sync.windows.query.parse({})
  const result = useQuery({
    ...query(sync.windows, { params: { id: task.id }, query: filters }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: isTaskActive(task) ? POLL_MS : false,
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

/** The point, or the whole agreement where a call is not about one. */
const formatCallSubject = ({ label, prm: subject, pointId }: SyncWindow) =>
  label || (pointId ? formatSubject(subject) : `Convention ${subject}`)
const formatNextAttempt = (instant: string) =>
  formatDate(instant) === formatDate(Date.now())
    ? `à\u00a0${formatTime(instant)}`
    : `${formatDate(instant)} à\u00a0${formatTime(instant)}`

const columns: Column<SyncWindow>[] = [
  {
    header: 'Point',
    card: 'title',
    sort: 'prm',
    cell: (window) => (
      <span className="block min-w-44 py-1">
        <span className="font-medium">{formatCallSubject(window)}</span>
        {window.pointId && (
          <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">
            {formatSubject(window.prm)}
            {window.direction && ` · ${getMeterSideLabel({ ...window, direction: window.direction }).toLowerCase()}`}
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'Période',
    card: 'primary',
    sort: 'from',
    cell: (window) => <span className="block min-w-44">{capitalize(formatTaskDays(window))}</span>,
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={WINDOW_STATUS_LABELS[status].tone}>{WINDOW_STATUS_LABELS[status].label}</Badge>,
  },
  {
    header: 'Prochain essai',
    card: 'primary',
    cell: ({ nextAt, status }) => (
      <span className="whitespace-nowrap">{nextAt && status === 'waiting' ? formatNextAttempt(nextAt) : '–'}</span>
    ),
  },
  { header: 'Essais', card: 'primary', align: 'end', cell: ({ attempts }) => formatNumber(attempts.length) },
  {
    header: 'Motif',
    card: 'secondary',
    cell: ({ fault }) =>
      fault ? (
        <span className="block min-w-56">
          {fault.explanation}
          <code className="block text-[0.8125rem] text-ink-soft">{fault.code}</code>
        </span>
      ) : (
        '–'
      ),
  },
]

/** The calls a task is cut into, each with its attempts. */
export function TaskCalls({ task }: { task: SyncTask }) {
  const list = useWindows(task)
  return (
    <section aria-label="Demandes" className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Demandes</h2>
      <ListScreen
        list={list}
        label="Demandes de la synchronisation"
        search="Rechercher un PRM"
        columns={columns}
        filters={
          <FilterChips
            label="État"
            options={toChoices(WINDOW_STATUS_LABELS)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        detail={{
          label: (window) => `Essais de ${formatCallSubject(window)}, ${formatTaskDays(window)}`,
          content: (window) => <CallAttempts window={window} />,
        }}
        empty={
          <EmptyState
            title="Aucune demande"
            why={task.message || 'Il n’y avait rien à demander au distributeur pour cette période.'}
            because="all-well"
          />
        }
      />
    </section>
  )
}
