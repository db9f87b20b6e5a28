import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FlowEvent, FlowPeriod, flows } from '@voisol/contract/flows'
import { useSearchParams } from 'react-router'
import { formatCount, formatDateTime, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { FlowChart } from './picture.tsx'
import { FlowSubscribers } from './subscribers.tsx'
import { FLOW_SPAN_OPTIONS } from './words.ts'

const REFRESH_MS = 15_000

type EventRow = FlowEvent & { id: string; heardBy: string }
const eventColumns: Column<EventRow>[] = [
  { header: 'Événement', card: 'title', cell: ({ label }) => <span className="font-medium">{label}</span> },
  { header: 'Nom', card: 'secondary', cell: ({ name }) => <code className="text-[0.8125rem]">{name}</code> },
  { header: 'Émis', align: 'end', cell: ({ emitted }) => formatNumber(emitted) },
  { header: 'Dernier', card: 'primary', cell: ({ lastAt }) => (lastAt ? formatDateTime(lastAt) : '—') },
  {
    header: 'Abonnés',
    card: 'secondary',
    cell: ({ heardBy }) => <span className="break-words">{heardBy || '—'}</span>,
  },
]

/** What happened, who heard of it and how fast, counted from what is stored. */
export function FlowsOverview() {
  const [search, setSearch] = useSearchParams()
  const span = FlowPeriod.safeParse(search.get('periode')).data ?? 'day'
  const { data, error, refetch } = useQuery({
    ...query(flows.overview, { query: { span } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const emitted = data.events.reduce((sum, one) => sum + one.emitted, 0)
  const sum = (key: 'delivered' | 'waiting' | 'failed') => data.subscribers.reduce((all, one) => all + one[key], 0)
  const names = new Map(data.subscribers.map(({ id, label }) => [id, label]))
  const rows = data.events.map((one) => ({
    ...one,
    id: one.name,
    heardBy: data.heard
      .flatMap(({ event, subscriber }) => (event === one.name ? (names.get(subscriber) ?? []) : []))
      .join(', '),
  }))
  const summary = `Depuis le ${formatDateTime(data.since)}\u00a0: ${formatCount(emitted, 'événement')}, ${formatNumber(sum('delivered'))} remis à leurs abonnés, ${formatNumber(sum('waiting'))} en attente, ${formatCount(sum('failed'), 'échoué')}.`
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <FilterChips
        label="Période"
        options={FLOW_SPAN_OPTIONS}
        value={span}
        onChange={(next) =>
          setSearch((old) => {
            old.set('periode', next ?? 'day')
            return old
          })
        }
      />
      <Card>
        {emitted + sum('waiting') + sum('failed') > 0 ? (
          <ChartFrame
            title="De l’événement à ses abonnés"
            summary={summary}
            drawing={<FlowChart data={data} />}
            table={<Table label="Événements" rows={rows} columns={eventColumns} />}
          />
        ) : (
          <EmptyState
            title="Rien ne s’est passé sur cette période"
            why="Chaque fait de votre organisation (courbe reçue, facture émise, accord donné) paraît ici avec ceux qui en sont prévenus."
            because="comes-by-itself"
          />
        )}
      </Card>
      <FlowSubscribers subscribers={data.subscribers} />
    </div>
  )
}
