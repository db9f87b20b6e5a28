import type { Operation } from '@voisol/contract/operations'
import { type Participant, participants } from '@voisol/contract/participants'
import { Badge } from '../../../../components/badge.tsx'
import { ButtonLink } from '../../../../components/button.tsx'
import { cx } from '../../../../components/cx.ts'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../../../components/export-menu.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { Link } from '../../../../components/link.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import type { Column } from '../../../../components/table.tsx'
import { Can, useCan } from '../../../../lib/can.tsx'
import {
  formatPrm,
  PARTICIPANT_ROLE_LABELS,
  PARTICIPANT_STATE_LABELS,
  toChoices,
  toMeters,
} from '../../../../lib/energy-labels.ts'
import { useList } from '../../../../lib/queries.ts'

const buildColumns = (operationId: string): Column<Participant>[] => [
  {
    header: 'Nom',
    card: 'title',
    sort: 'name',
    cell: ({ id, name, email }) => (
      <span className="block min-w-44">
        <Link to={`/acc-operations/${operationId}/participants?participant=${id}`} className="font-medium text-link">
          {name}
        </Link>
        {email && <span className="block text-[0.8125rem] text-ink-soft">{email}</span>}
      </span>
    ),
  },
  { header: 'Rôle', card: 'primary', cell: ({ role }) => (role ? PARTICIPANT_ROLE_LABELS[role] : '–') },
  {
    header: 'Points',
    card: 'primary',
    cell: ({ points }) => (
      <ul className="grid gap-0.5 py-1">
        {toMeters(points.filter((point) => point.operationId === operationId)).map(({ id, label, prm: digits }) => (
          <li key={id} className="tabular">
            {label && <span className="block">{label}</span>}
            <span className={cx('whitespace-nowrap', label && 'text-[0.8125rem] text-ink-soft')}>
              {formatPrm(digits)}
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state }) => (
      <Badge tone={PARTICIPANT_STATE_LABELS[state].tone}>{PARTICIPANT_STATE_LABELS[state].label}</Badge>
    ),
  },
  {
    header: 'À vérifier',
    card: 'secondary',
    cell: ({ review }) => <span className="block min-w-40 text-[0.8125rem] text-ink-soft">{review.join(', ')}</span>,
  },
]

/** Who takes part; entries, exits and files have the screen of the participants. */
export default function ParticipantsTab({ operation }: { operation: Operation }) {
  const operationId = operation.id
  const can = useCan()
  const list = useList(participants.list, { operationId })
  const manage = `/acc-operations/${operationId}/participants`
  return (
    <ListScreen
      list={list}
      label="Participants de l’opération"
      search="Rechercher un nom, un PRM"
      columns={buildColumns(operationId)}
      filters={
        <FilterChips
          label="Rôle"
          options={toChoices(PARTICIPANT_ROLE_LABELS)}
          value={list.filters.role}
          onChange={(role) => list.setFilters({ role })}
        />
      }
      exports={
        <ExportMenu
          endpoint={participants.export}
          input={(format) => ({
            query: { ...list.filters, review: undefined, operationId, format: toTableFormat(format) },
          })}
        />
      }
      actions={
        <>
          <ButtonLink to={`/acc-operations/${operationId}/joining`} variant="secondary">
            Page «&nbsp;Rejoindre&nbsp;»
          </ButtonLink>
          <ButtonLink to={manage}>
            {can(participants.update) ? 'Gérer les participants' : 'Ouvrir les participants'}
          </ButtonLink>
        </>
      }
      empty={
        <Can
          call={participants.create}
          otherwise={
            <EmptyState
              title="Aucun participant"
              why="Personne ne prend encore part à cette opération."
              because="comes-by-itself"
            />
          }
        >
          <EmptyState
            title="Aucun participant"
            why="Ajoutez les producteurs et les consommateurs un par un, ou importez-les depuis un fichier."
            action={<ButtonLink to={manage}>Ajouter des participants</ButtonLink>}
          />
        </Can>
      }
    />
  )
}
