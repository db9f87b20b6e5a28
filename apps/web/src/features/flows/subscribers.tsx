import type { FlowSubscriber } from '@voisol/contract/flows'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { formatCount, formatDateTime, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { isIdleSubscriber } from './idle.ts'
import { formatDelay, SUBSCRIBER_KIND_LABELS } from './words.ts'

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

export function FlowSubscribers({ subscribers }: { subscribers: FlowSubscriber[] }) {
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
