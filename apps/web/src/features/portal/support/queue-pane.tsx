import type { QueueRow } from '@voisol/contract/support-agents'
import { TICKET_PRIORITY_LABELS, TICKET_STATE_LABELS } from '@voisol/contract/support-labels'
import { Badge } from '../../../components/badge.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Select } from '../../../components/input.tsx'
import type { ListState } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatRelativeTime } from '../../../lib/format.ts'

export const QUEUE_VIEWS = [
  { value: 'active', label: 'À traiter' },
  { value: 'mine', label: 'Les miennes' },
  { value: 'unassigned', label: 'Sans personne' },
  { value: 'late', label: 'En retard' },
  { value: 'all', label: 'Toutes' },
]

const QueueItem = ({ row, current, onOpen }: { row: QueueRow; current: boolean; onOpen: (id: string) => void }) => (
  <li>
    <button
      type="button"
      aria-current={current}
      onClick={() => onOpen(row.id)}
      className="grid w-full gap-1 border-l-4 border-transparent px-3 py-2.5 text-left hover:bg-page aria-[current=true]:border-primary aria-[current=true]:bg-primary-soft"
    >
      <span className="line-clamp-2 text-body font-medium">{row.subject}</span>
      <span className="text-[0.8125rem] text-ink-soft">
        n°&nbsp;{row.number} · {row.asker.name}
        {row.desk === 'keeper' && ` · ${row.asker.company}`} · {formatRelativeTime(row.lastMessageAt)}
      </span>
      <span className="flex flex-wrap gap-1.5">
        {row.late && <Badge tone="danger">En retard</Badge>}
        {row.held > 0 && <Badge tone="warning">E-mail à vérifier</Badge>}
        {(row.priority === 'urgent' || row.priority === 'high') && (
          <Badge tone={row.priority === 'urgent' ? 'danger' : 'warning'}>{TICKET_PRIORITY_LABELS[row.priority]}</Badge>
        )}
        <span className="text-[0.8125rem] text-ink-soft">{TICKET_STATE_LABELS[row.state]}</span>
      </span>
    </button>
  </li>
)

type Props = { list: ListState<QueueRow>; opened: string | undefined; onOpen: (id: string) => void }

/** The queue beside the thread; what is due first comes first. */
export const QueuePane = ({ list, opened, onOpen }: Props) => (
  <nav aria-label="File des demandes" className={cx(cardClass, 'min-w-0 overflow-hidden')}>
    <div className="border-b border-line p-3">
      <Select
        aria-label="Demandes montrées"
        options={QUEUE_VIEWS}
        value={String(list.filters.view ?? 'active')}
        onChange={(event) => list.setFilters({ view: event.target.value, demande: undefined })}
      />
    </div>
    {list.isPending && (
      <div className="grid gap-3 p-3">
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-16 w-full" />
      </div>
    )}
    {!list.isPending && !list.items.length && <p className="p-4 text-body text-ink-soft">Aucune demande ici.</p>}
    <ul className="max-h-64 divide-y divide-line overflow-y-auto lg:max-h-[70vh]">
      {list.items.map((row) => (
        <QueueItem key={row.id} row={row} current={row.id === opened} onOpen={onOpen} />
      ))}
    </ul>
  </nav>
)
