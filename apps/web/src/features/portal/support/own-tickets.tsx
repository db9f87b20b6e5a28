import { support, type TicketRow } from '@voisol/contract/support'
import Plus from 'lucide-react/icons/plus'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { REQUESTER_STATE_LABELS, requesterStateOptions, TICKET_STATE_TONES } from './labels.ts'

const NewTicketForm = lazy(async () => ({ default: (await import('./new-ticket.tsx')).NewTicketForm }))
const OwnTicket = lazy(async () => ({ default: (await import('./own-ticket.tsx')).OwnTicket }))

const buildColumns = (open: (id: string) => void): Column<TicketRow>[] => [
  {
    header: 'Demande',
    card: 'title',
    sort: 'number',
    cell: ({ id, number, subject, about }) => (
      <span className="block min-w-44">
        <button
          type="button"
          className="text-left font-medium text-link break-words hover:underline"
          onClick={() => open(id)}
        >
          n°&nbsp;{number} · {subject}
        </button>
        {about && <span className="block text-[0.8125rem] text-ink-soft">{about.label}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={TICKET_STATE_TONES[state]}>{REQUESTER_STATE_LABELS[state]}</Badge>,
  },
  {
    header: 'Dernier message',
    card: 'primary',
    sort: 'lastMessageAt',
    cell: ({ lastMessageAt, lastSide }) => (
      <span className="block min-w-32" title={formatDateTime(lastMessageAt)}>
        {formatRelativeTime(lastMessageAt)}
        <span className="block text-[0.8125rem] text-ink-soft">{lastSide === 'desk' ? 'du support' : 'de vous'}</span>
      </span>
    ),
  },
]

function OwnTicketList({ open, ask }: { open: (id: string) => void; ask: () => void }) {
  const list = useList(support.list)
  return (
    <ListScreen
      list={list}
      label="Mes demandes"
      search="Rechercher dans mes demandes"
      columns={buildColumns(open)}
      filters={
        <FilterChips
          label="État"
          options={requesterStateOptions}
          value={list.filters.state}
          onChange={(state) => list.setFilters({ state })}
        />
      }
      empty={
        <EmptyState
          title="Aucune demande pour l’instant"
          why={'Posez une question\u00a0: la réponse viendra ici et par e-mail.'}
          action={<Button onClick={ask}>Poser ma première question</Button>}
        />
      }
    />
  )
}

type Props = { title: string; description: string; more?: ReactNode }

/** One's own questions: the list, a new one, or the one that is open, by the address. */
export function OwnSupport({ title, description, more }: Props) {
  const [search, setSearch] = useSearchParams()
  const [isAsking, openTicketId] = [search.has('nouvelle'), search.get('demande')]
  const ask = () => setSearch({ nouvelle: '1' })
  const open = (demande: string) => setSearch({ demande })
  const back = () => setSearch({})
  const action = (
    <Button icon={<Plus aria-hidden="true" />} onClick={ask}>
      Poser une question
    </Button>
  )
  return (
    <>
      <PageHeader title={title} description={description} actions={!isAsking && !openTicketId && action} />
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        {isAsking && <NewTicketForm about={search.get('objet') ?? ''} onDone={open} onCancel={back} />}
        {!isAsking && openTicketId && <OwnTicket id={openTicketId} onBack={back} onOpen={open} />}
      </Suspense>
      {!isAsking && !openTicketId && (
        <div className="grid gap-8 [&>*]:min-w-0">
          <OwnTicketList open={open} ask={ask} />
          {more}
        </div>
      )}
    </>
  )
}
