import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FlowEvent, type FlowOverview, FlowPeriod, type FlowSubscriber, flows } from '@voisol/contract/flows'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ChartFrame } from '../../../components/chart/chart-frame.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useWidth } from '../../../components/use-width.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { isIdleSubscriber, SUBSCRIBER_KIND_LABELS } from './labels.ts'

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

const FLOW_SPAN_OPTIONS: { value: FlowPeriod; label: string }[] = [
  { value: 'hour', label: 'Dernière heure' },
  { value: 'day', label: '24 heures' },
  { value: 'month', label: '30 jours' },
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

const SECOND_MS = 1000

/** How long after it happened, in the largest unit that says it. */
function formatDelay(ms: number | null): string {
  if (ms === null) return '—'
  if (ms < SECOND_MS) return `${formatNumber(ms)}\u00a0ms`
  if (ms < 60 * SECOND_MS) return `${formatNumber(ms / SECOND_MS, 1)}\u00a0s`
  if (ms < 3600 * SECOND_MS) return `${formatNumber(ms / (60 * SECOND_MS), 0)}\u00a0min`
  return `${formatNumber(ms / (3600 * SECOND_MS), 1)}\u00a0h`
}

const columns: Column<FlowSubscriber>[] = [
  {
    header: 'Abonné',
    card: 'title',
    cell: ({ label, failingSince }) => (
      <span className="block break-words">
        <span className="font-medium">{label}</span>
        {failingSince && (
          <span className="block text-[0.8125rem] text-danger">Bloqué depuis le {formatDateTime(failingSince)}</span>
        )}
      </span>
    ),
  },
  { header: 'Nature', card: 'secondary', cell: ({ kind }) => <Badge>{SUBSCRIBER_KIND_LABELS[kind]}</Badge> },
  { header: 'Remis', align: 'end', cell: ({ delivered }) => formatNumber(delivered) },
  { header: 'En attente', align: 'end', cell: ({ waiting }) => formatNumber(waiting) },
  { header: 'Échoués', align: 'end', cell: ({ failed }) => formatNumber(failed) },
  { header: 'Délai, p95', align: 'end', cell: ({ p95Ms }) => formatDelay(p95Ms) },
]

/** Folded: four zeros each would hide those of whom there is something to read. */
const IdleSubscribers = ({ subscribers, alone }: { subscribers: FlowSubscriber[]; alone: boolean }) => (
  <details className="group" open={alone}>
    <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 text-body text-link">
      {formatCount(subscribers.length, 'abonné')} sans rien à faire sur cette période
      <ChevronDown aria-hidden="true" className="size-4 transition-transform duration-150 group-open:rotate-180" />
    </summary>
    <ul className="grid gap-x-6 gap-y-1 pt-1 text-body text-ink-soft sm:grid-cols-2 xl:grid-cols-3">
      {subscribers.map(({ id, label, kind }) => (
        <li key={id} className="flex min-w-0 items-baseline justify-between gap-3 border-t border-line py-1.5">
          <span className="min-w-0 break-words">{label}</span>
          <span className="shrink-0 text-[0.8125rem]">{SUBSCRIBER_KIND_LABELS[kind]}</span>
        </li>
      ))}
    </ul>
  </details>
)

function FlowSubscribers({ subscribers }: { subscribers: FlowSubscriber[] }) {
  const activeSubscribers = subscribers.filter((one) => !isIdleSubscriber(one))
  const idle = subscribers.filter(isIdleSubscriber)
  return (
    <Card title="Abonnés" description="Qui est prévenu, et en combien de temps dix-neuf fois sur vingt.">
      <div className="grid gap-2 [&>*]:min-w-0">
        {activeSubscribers.length > 0 && <Table label="Abonnés" rows={activeSubscribers} columns={columns} />}
        {idle.length > 0 && <IdleSubscribers subscribers={idle} alone={activeSubscribers.length === 0} />}
      </div>
    </Card>
  )
}

const ROW_HEIGHT = 38
const PADDING = 12
const MIN_DIAGRAM_WIDTH = 640
type DiagramNode = { id: string; label: string; note: string; y: number }

const truncate = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text

/** What happened and who heard of it: those without a part in the span are in the table alone. */
function layoutDiagram({ events, subscribers, links }: FlowOverview) {
  const emittedEvents = events.filter(({ emitted }) => emitted > 0)
  const activeSubscribers = subscribers.filter(
    ({ id, waiting, failed }) => waiting + failed > 0 || links.some((one) => one.subscriber === id),
  )
  const getRowY = (row: number) => PADDING + row * ROW_HEIGHT + ROW_HEIGHT / 2
  return {
    left: emittedEvents.map(
      ({ name, label, emitted }, row): DiagramNode => ({
        id: name,
        label,
        note: formatNumber(emitted),
        y: getRowY(row),
      }),
    ),
    right: activeSubscribers.map((one, row): DiagramNode => {
      const note = `${SUBSCRIBER_KIND_LABELS[one.kind]}, ${formatCount(one.delivered, 'remis', 'remis')}, p95 ${formatDelay(one.p95Ms)}`
      return { id: one.id, label: one.label, note, y: getRowY(row) }
    }),
    height: 2 * PADDING + ROW_HEIGHT * Math.max(emittedEvents.length, activeSubscribers.length, 1),
  }
}

type NodeMarkProps = {
  node: DiagramNode
  x: number
  side: 'start' | 'end'
  room: number
  faded: boolean
  onActive: (id: string | null) => void
}
const NodeMark = ({ node, x, side, room, faded, onActive }: NodeMarkProps) => (
  // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a part of the drawing; focus only shows its links, as the pointer does
  <g
    role="img"
    aria-label={`${node.label}\u00a0: ${node.note}`}
    tabIndex={0}
    onFocus={() => onActive(node.id)}
    onBlur={() => onActive(null)}
    onPointerEnter={() => onActive(node.id)}
    onPointerLeave={() => onActive(null)}
    opacity={faded ? 0.4 : 1}
  >
    <circle cx={x} cy={node.y} r="4" fill="var(--data-local)" />
    <text
      x={side === 'end' ? x - 10 : x + 10}
      y={node.y - 2}
      textAnchor={side}
      fontSize="13"
      fontWeight="500"
      fill="#0F172A"
    >
      {truncate(node.label, room)}
    </text>
    <text x={side === 'end' ? x - 10 : x + 10} y={node.y + 13} textAnchor={side} fontSize="12" fill="#475569">
      {truncate(node.note, room + 2)}
    </text>
  </g>
)

function FlowDiagram({ data, width }: { data: FlowOverview; width: number }) {
  const [active, setActive] = useState<string | null>(null)
  const { left, right, height } = layoutDiagram(data)
  const gutter = Math.min(300, width * 0.34)
  const [from, to] = [gutter, width - gutter]
  const maxDelivered = Math.max(1, ...data.links.map(({ delivered }) => delivered))
  const isLinkActive = (event: string, subscriber: string) =>
    active === null || active === event || active === subscriber
  const isHighlighted = (id: string) =>
    active === null ||
    active === id ||
    data.links.some((one) => isLinkActive(one.event, one.subscriber) && (one.event === id || one.subscriber === id))
  const lines = data.links.flatMap(({ event, subscriber, delivered }) => {
    const [a, b] = [left.find(({ id }) => id === event), right.find(({ id }) => id === subscriber)]
    const bend = (from + to) / 2
    return a && b
      ? [
          {
            id: `${event}>${subscriber}`,
            d: `M${from + 6},${a.y}C${bend},${a.y} ${bend},${b.y} ${to - 6},${b.y}`,
            width: 1 + (5 * Math.log1p(delivered)) / Math.log1p(maxDelivered),
            on: isLinkActive(event, subscriber),
          },
        ]
      : []
  })
  const maxChars = Math.floor((gutter - 16) / 7.2)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing with several named parts
    <svg
      role="group"
      aria-label="Événements et abonnés"
      data-drawing=""
      width={width}
      height={height}
      className="tabular block max-w-full"
    >
      <g fill="none" stroke="var(--data-local)">
        {lines.map((line) => (
          <path key={line.id} d={line.d} strokeWidth={line.width} strokeOpacity={line.on ? 0.35 : 0.06} />
        ))}
      </g>
      {left.map((node) => (
        <NodeMark
          key={node.id}
          node={node}
          x={from}
          side="end"
          room={maxChars}
          faded={!isHighlighted(node.id)}
          onActive={setActive}
        />
      ))}
      {right.map((node) => (
        <NodeMark
          key={node.id}
          node={node}
          x={to}
          side="start"
          room={maxChars}
          faded={!isHighlighted(node.id)}
          onActive={setActive}
        />
      ))}
    </svg>
  )
}

/** The same as a list, where there is no room to draw. */
function FlowList({ data }: { data: FlowOverview }) {
  const names = new Map(data.subscribers.map(({ id, label }) => [id, label]))
  return (
    <ul className="grid gap-3">
      {data.events
        .filter(({ emitted }) => emitted > 0)
        .map(({ name, label, emitted }) => (
          <li key={name} className="border-l-2 border-line-strong pl-3 text-body">
            <span className="font-medium">{label}</span>, {formatNumber(emitted)}
            <ul className="text-[0.8125rem] text-ink-soft">
              {data.links
                .filter(({ event }) => event === name)
                .map(({ subscriber, delivered }) => (
                  <li key={subscriber} className="break-all">
                    → {names.get(subscriber) ?? subscriber}&nbsp;: {formatNumber(delivered)}
                  </li>
                ))}
            </ul>
          </li>
        ))}
    </ul>
  )
}

function FlowChart({ data }: { data: FlowOverview }) {
  const [ref, width] = useWidth<HTMLDivElement>(960)
  return (
    <div ref={ref}>
      {width < MIN_DIAGRAM_WIDTH ? <FlowList data={data} /> : <FlowDiagram data={data} width={width} />}
    </div>
  )
}
