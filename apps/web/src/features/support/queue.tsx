import { useQuery } from '@tanstack/react-query'
import { type QueueRow, supportDesk } from '@voisol/contract/support-desk'
import { PRIORITY_LABELS, STATE_LABELS } from '@voisol/contract/support-words'
import { useCan } from '../../lib/can.tsx'
import { dateTime, relative } from '../../lib/format.ts'
import { query, useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Link } from '../../ui/link.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table.tsx'
import { VIEWS } from './queue-pane.tsx'
import { DESKS, PRIORITY_TONES, priorityOptions, STATE_TONES } from './words.ts'

const soft = 'block text-[0.8125rem] text-ink-soft'

/** The nearest of what was promised. */
const due = ({ firstAnswerAt, firstDueAt, solveDueAt, late }: QueueRow) => {
  const at = firstAnswerAt ? solveDueAt : firstDueAt
  if (!at) return <span className="text-ink-soft">en pause</span>
  return (
    <span className="block min-w-32" title={dateTime(at)}>
      {late ? <Badge tone="danger">En retard</Badge> : relative(at)}
      <span className={soft}>{firstAnswerAt ? 'pour résoudre' : 'pour répondre'}</span>
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
        {desk === 'keeper' && <span className={soft}>{asker.company}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATE_LABELS[state]}</Badge>,
  },
  {
    header: 'Priorité',
    card: 'primary',
    sort: 'priority',
    cell: ({ priority }) => <Badge tone={PRIORITY_TONES[priority]}>{PRIORITY_LABELS[priority]}</Badge>,
  },
  { header: 'Attribuée à', card: 'primary', cell: ({ assignee }) => assignee?.name ?? 'Personne' },
  { header: 'Échéance', card: 'primary', sort: 'dueAt', cell: due },
]

function DeskChoice({ value, onChange }: { value: string | undefined; onChange: (desk: string | undefined) => void }) {
  if (!useCan()('support.keep')) return null
  const options = Object.entries(DESKS).map(([desk, label]) => ({ value: desk, label }))
  return <FilterChips label="Bureau" options={options} value={value} onChange={onChange} />
}

/** Of the keeper's desk: one of those who wrote. */
function Organisation({ value, onChange }: { value: number | undefined; onChange: (id: string | undefined) => void }) {
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
export default function Queue() {
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
            options={VIEWS}
            value={filters.view ?? 'active'}
            onChange={(view) => setFilters({ view: view === 'active' ? undefined : view })}
          />
          <FilterChips
            label="Priorité"
            options={priorityOptions}
            value={filters.priority}
            onChange={(priority) => setFilters({ priority })}
          />
          <DeskChoice value={filters.desk} onChange={(desk) => setFilters({ desk })} />
          <Organisation value={filters.companyId} onChange={(companyId) => setFilters({ companyId })} />
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
