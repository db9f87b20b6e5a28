import { type MessageRow, messages } from '@voisol/contract/messages'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { formatDateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Link } from '../../ui/link.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { MessageDialog } from './detail.tsx'
import { AUDIENCE_LABELS, describeReadCounts, MESSAGE_STATE_LABELS } from './words.ts'

const buildColumns = (open: (id: string) => string): Column<MessageRow>[] => [
  {
    header: 'Message',
    card: 'title',
    sort: 'subject',
    cell: ({ id, subject }) => (
      <Link to={{ search: open(id) }} preventScrollReset className="block min-w-48 font-medium text-link">
        {subject}
      </Link>
    ),
  },
  {
    header: 'À',
    card: 'primary',
    cell: ({ audience, target }) => (
      <span className="block min-w-32">
        {target}
        <span className="block text-[0.8125rem] text-ink-soft">{AUDIENCE_LABELS[audience]}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={MESSAGE_STATE_LABELS[state].tone}>{MESSAGE_STATE_LABELS[state].label}</Badge>,
  },
  { header: 'Départ', card: 'primary', sort: 'sendAt', cell: ({ sentAt, sendAt }) => formatDateTime(sentAt ?? sendAt) },
  { header: 'Lecture dans le portail', card: 'primary', cell: describeReadCounts },
]
const STATE_OPTIONS = Object.entries(MESSAGE_STATE_LABELS).map(([value, { label }]) => ({ value, label }))

/** What was written to participants, and how it was read. */
export default function MessageList({ write }: { write: ReactNode }) {
  const list = useList(messages.list)
  const [search, setSearch] = useSearchParams()
  const openMessageId = search.get('message')
  const withMessage = (id: string | null) => {
    const next = new URLSearchParams(search)
    if (id) next.set('message', id)
    else next.delete('message')
    return next
  }
  return (
    <>
      <ListScreen
        list={list}
        label="Messages"
        search="Rechercher dans les messages"
        columns={buildColumns((id) => withMessage(id).toString())}
        filters={
          <FilterChips
            label="État"
            options={STATE_OPTIONS}
            value={list.filters.state}
            onChange={(state) => list.setFilters({ state })}
          />
        }
        empty={
          <EmptyState
            title="Aucun message"
            why="Écrivez à une opération, à un groupe ou à une personne&#160;: chacun le lit dans son portail et le reçoit par e-mail."
            action={write}
          />
        }
      />
      {openMessageId && (
        <MessageDialog id={openMessageId} onClose={() => setSearch(withMessage(null), { preventScrollReset: true })} />
      )}
    </>
  )
}
