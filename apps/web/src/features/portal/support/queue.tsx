import { useQuery } from '@tanstack/react-query'
import { type QueueRow, supportDesk } from '@voisol/contract/support-agents'
import { TICKET_PRIORITY_LABELS, TICKET_STATE_LABELS } from '@voisol/contract/support-labels'
import { Badge } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { query, useList } from '../../../lib/queries.ts'
import { DESK_LABELS, TICKET_PRIORITY_TONES, TICKET_STATE_TONES, ticketPriorityOptions } from './labels.ts'
import { QUEUE_VIEWS } from './queue-pane.tsx'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'

/** The nearest of what was promised. */
const renderDueDate = ({ firstAnswerAt, firstDueAt, solveDueAt, late }: QueueRow) => {
  const at = firstAnswerAt ? solveDueAt : firstDueAt
  if (!at) return <span className="text-ink-soft">en pause</span>
  return (
    <span className="block min-w-32" title={formatDateTime(at)}>
      {late ? <Badge tone="danger">En retard</Badge> : formatRelativeTime(at)}
      <span className={softTextClass}>{firstAnswerAt ? 'pour résoudre' : 'pour répondre'}</span>
    </span>
  )
}

const columns: Column<QueueRow>[] = [
  {
    header: 'Demande',
    card: 'title',
    sort: 'number',
    cell: ({ id, number, subject, held }) => (
      <span className="block min-w-48">
        <Link to={`/dashboard/support-optimized?demande=${id}&view=all`} className="font-medium text-link break-words">
          n°&nbsp;{number} · {subject}
        </Link>
        {held > 0 && <Badge tone="warning">E-mail à vérifier</Badge>}
      </span>
    ),
  },
  {
    header: 'Demandeur',
    card: 'secondary',
    cell: ({ asker, desk }) => (
      <span className="block min-w-32">
        {asker.name}
        {desk === 'keeper' && <span className={softTextClass}>{asker.company}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={TICKET_STATE_TONES[state]}>{TICKET_STATE_LABELS[state]}</Badge>,
  },
  {
    header: 'Priorité',
    card: 'primary',
    sort: 'priority',
    cell: ({ priority }) => <Badge tone={TICKET_PRIORITY_TONES[priority]}>{TICKET_PRIORITY_LABELS[priority]}</Badge>,
  },
  { header: 'Attribuée à', card: 'primary', cell: ({ assignee }) => assignee?.name ?? 'Personne' },
  { header: 'Échéance', card: 'primary', sort: 'dueAt', cell: renderDueDate },
]

function DeskFilter({ value, onChange }: { value: string | undefined; onChange: (desk: string | undefined) => void }) {
  if (!useCan()('support.keep')) return null
  const options = Object.entries(DESK_LABELS).map(([desk, label]) => ({ value: desk, label }))
  return <FilterChips label="Bureau" options={options} value={value} onChange={onChange} />
}

/** Of the keeper's desk: one of those who wrote. */
function OrganisationFilter({
  value,
  onChange,
}: {
  value: number | undefined
  onChange: (id: string | undefined) => void
}) {
  const may = useCan()(supportDesk.organisations)
  const { data } = useQuery({ ...query(supportDesk.organisations, {}), enabled: may })
  if (!data?.items.length) return null
  return (
    <Select
      aria-label="Organisation"
      className="max-w-60"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">Toutes les organisations</option>
      {data.items.map(({ id, name, open }) => (
        <option key={id} value={id}>
          {`${name} (${open})`}
        </option>
      ))}
    </Select>
  )
}

/** The queue of the desk one works at. */
export default function TicketQueue() {
  const list = useList(supportDesk.queue)
  const { filters, setFilters } = list
  return (
    <ListScreen
      list={list}
      label="Demandes"
      search="Rechercher un objet, un nom, un numéro"
      columns={columns}
      filters={
        <>
          <FilterChips
            label="Demandes montrées"
            options={QUEUE_VIEWS}
            value={filters.view ?? 'active'}
            onChange={(view) => setFilters({ view: view === 'active' ? undefined : view })}
          />
          <FilterChips
            label="Priorité"
            options={ticketPriorityOptions}
            value={filters.priority}
            onChange={(priority) => setFilters({ priority })}
          />
          <DeskFilter value={filters.desk} onChange={(desk) => setFilters({ desk })} />
          <OrganisationFilter value={filters.companyId} onChange={(companyId) => setFilters({ companyId })} />
        </>
      }
      actions={
        <ButtonLink variant="secondary" to="/dashboard/support-optimized">
          Traiter au clavier
        </ButtonLink>
      }
      empty={
        <EmptyState
          title="Aucune demande à traiter"
          why="Ce que les participants demandent depuis leur espace arrive ici, le plus pressé d’abord."
          because="all-well"
        />
      }
    />
  )
}
