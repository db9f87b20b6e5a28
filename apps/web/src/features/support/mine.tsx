import { support, type TicketRow } from '@voisol/contract/support'
import Plus from 'lucide-react/icons/plus'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { dateTime, relative } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/table.tsx'
import { ASKER_STATES, askerStateOptions, STATE_TONES } from './words.ts'

const Ask = lazy(async () => ({ default: (await import('./ask.tsx')).Ask }))
const MyTicket = lazy(async () => ({ default: (await import('./my-ticket.tsx')).MyTicket }))

const columnsOf = (open: (id: string) => void): Column<TicketRow>[] => [
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
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{ASKER_STATES[state]}</Badge>,
  },
  {
    header: 'Dernier message',
    card: 'primary',
    sort: 'lastMessageAt',
    cell: ({ lastMessageAt, lastSide }) => (
      <span className="block min-w-32" title={dateTime(lastMessageAt)}>
        {relative(lastMessageAt)}
        <span className="block text-[0.8125rem] text-ink-soft">{lastSide === 'desk' ? 'du support' : 'de vous'}</span>
      </span>
    ),
  },
]

function MyList({ open, ask }: { open: (id: string) => void; ask: () => void }) {
  const list = useList(support.list)
  return (
    <ListScreen
      list={list}
      label="Mes demandes"
      search="Rechercher dans mes demandes"
      columns={columnsOf(open)}
      filters={
        <FilterChips
          label="État"
          options={askerStateOptions}
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
export function MySupport({ title, description, more }: Props) {
  const [search, setSearch] = useSearchParams()
  const [asking, opened] = [search.has('nouvelle'), search.get('demande')]
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
      <PageHeader title={title} description={description} actions={!asking && !opened && action} />
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        {asking && <Ask about={search.get('objet') ?? ''} onDone={open} onCancel={back} />}
        {!asking && opened && <MyTicket id={opened} onBack={back} onOpen={open} />}
      </Suspense>
      {!asking && !opened && (
        <div className="grid gap-8 [&>*]:min-w-0">
          <MyList open={open} ask={ask} />
          {more}
        </div>
      )}
    </>
  )
}
