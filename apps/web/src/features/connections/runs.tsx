import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ConnectionRun, connections } from '@voisol/contract/connections'
import { useEffect } from 'react'
import { formatCount, formatDateTime, formatNumber, formatTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CONNECTION_RUN_STATE_BADGES, formatFileSize } from './words.ts'

const POLL_MS = 3000

const columns: Column<ConnectionRun>[] = [
  { header: 'Début', card: 'title', cell: ({ startedAt }) => formatDateTime(startedAt) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state, failure }) => (
      <span className="block min-w-40">
        <Badge tone={CONNECTION_RUN_STATE_BADGES[state].tone}>{CONNECTION_RUN_STATE_BADGES[state].label}</Badge>
        {failure && <span className="block text-[0.8125rem] text-ink-soft">{failure}</span>}
      </span>
    ),
  },
  { header: 'Lancé par', card: 'primary', cell: ({ askedBy }) => askedBy || 'Horaire' },
  { header: 'Fichiers', align: 'end', card: 'primary', cell: ({ files }) => formatNumber(files) },
  { header: 'Taille', align: 'end', cell: ({ bytes }) => (bytes ? formatFileSize(bytes) : '—') },
]

function RunSteps({ id, runId }: { id: string; runId: string }) {
  const { data, error, refetch } = useQuery({
    ...query(connections.run, { params: { id, runId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.run.state === 'running' ? POLL_MS : false),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  return (
    <ol className="grid gap-1.5 py-2 text-body">
      {data.steps.map(({ id, at, text, milliseconds, bytes }) => (
        <li key={id} className="grid gap-x-4 sm:grid-cols-[6rem_minmax(0,1fr)_auto]">
          <span className="tabular text-ink-soft">{formatTime(at)}</span>
          <span className="min-w-0 break-words">{text}</span>
          <span className="tabular text-[0.8125rem] text-ink-soft">
            {bytes > 0 && `${formatFileSize(bytes)}, `}
            {formatNumber(milliseconds)}&nbsp;ms
          </span>
        </li>
      ))}
      {data.steps.length === 0 && <li className="text-ink-soft">Rien n’est encore écrit.</li>}
    </ol>
  )
}

/** What it did, each time, step by step. */
export function ConnectionRuns({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...query(connections.runs, { params: { id }, query: { size: 20 } }),
    staleTime: 0,
    // A run that was asked for begins a moment later: the open panel is who waits for it.
    refetchInterval: POLL_MS,
  })
  const client = useQueryClient()
  const newest = data?.items[0] && `${data.items[0].id} ${data.items[0].state}`
  useEffect(() => {
    // The list behind it, and what the panel says of the connection, follow.
    if (newest) void client.invalidateQueries({ queryKey: [connections.list.path] })
  }, [client, newest])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.total === 0) return <p className="text-body text-ink-soft">Aucun passage pour l’instant.</p>
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <Table
        label="Passages"
        rows={data.items}
        columns={columns}
        detail={{
          label: ({ startedAt }) => `Journal du passage du ${formatDateTime(startedAt)}`,
          content: (run) => <RunSteps id={id} runId={run.id} />,
        }}
      />
      {data.total > data.items.length && (
        <p className="text-[0.8125rem] text-ink-soft">
          Les {formatCount(data.items.length, 'dernier passage', 'derniers passages')} sur {formatNumber(data.total)}.
        </p>
      )}
    </div>
  )
}
