import { type Operation, operations } from '@voisol/contract/operations'
import Plus from 'lucide-react/icons/plus'
import { Badge } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { CompletenessBar } from '../../../components/energy-cells.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS, OPERATION_STATUS_LABELS, toChoices } from '../../../lib/energy-labels.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'

const columns: Column<Operation>[] = [
  {
    header: 'Opération',
    card: 'title',
    sort: 'name',
    cell: ({ id, name, accNumber, city }) => (
      <span className="block min-w-48 py-1">
        <Link to={`/acc-operations/${id}`} className="font-medium text-link">
          {name}
        </Link>
        <span className="tabular block text-[0.8125rem] text-ink-soft">
          {[accNumber ?? 'Sans numéro ACC', city].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => (
      <Badge tone={OPERATION_STATUS_LABELS[status].tone}>{OPERATION_STATUS_LABELS[status].label}</Badge>
    ),
  },
  {
    header: 'Participants',
    card: 'primary',
    sort: 'participants',
    align: 'end',
    cell: ({ participants }) => formatNumber(participants),
  },
  {
    header: 'Puissance (kWc)',
    card: 'none',
    sort: 'totalCapacity',
    align: 'end',
    cell: ({ totalCapacity }) => (totalCapacity > 0 ? formatNumber(totalCapacity, 1) : '–'),
  },
  {
    header: 'Méthode',
    card: 'none',
    cell: ({ method }) => (
      <span className="whitespace-nowrap">{method ? ALLOCATION_METHOD_LABELS[method].label : 'Aucune clé'}</span>
    ),
  },
  {
    header: 'Complétude',
    card: 'primary',
    sort: 'completeness',
    cell: (row) => <CompletenessBar share={row.completeness} />,
  },
  {
    header: 'Reçu jusqu’au',
    card: 'primary',
    sort: 'receivedUntil',
    cell: ({ receivedUntil }) => (receivedUntil ? formatLastDay(receivedUntil) : 'Jamais'),
  },
]

/** The midnight that closes a day belongs to the day it closes. */
const formatLastDay = (instant: string) => formatDate(Date.parse(instant) - 1)

const NewOperationButton = () => (
  <ButtonLink to="/acc-operations/new" icon={<Plus aria-hidden="true" />}>
    Nouvelle opération
  </ButtonLink>
)

export default function OperationList() {
  const list = useList(operations.list)
  const canCreate = useCan()(operations.create)
  return (
    <>
      <PageHeader
        title="Opérations"
        description="Les opérations d’autoconsommation collective de l’organisation, du brouillon à la clôture."
        actions={
          <>
            <ButtonLink variant="secondary" to="/participants">
              Participants
            </ButtonLink>
            <ButtonLink variant="secondary" to="/energy-distribution">
              Répartition
            </ButtonLink>
            <NewOperationButton />
          </>
        }
      />
      <ListScreen
        list={list}
        label="Opérations"
        search="Rechercher une opération"
        columns={columns}
        filters={
          <FilterChips
            label="État"
            options={toChoices(OPERATION_STATUS_LABELS)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        exports={
          <ExportMenu
            endpoint={operations.export}
            input={(format) => ({ query: { ...list.filters, format: toTableFormat(format) } })}
          />
        }
        empty={
          <EmptyState
            title="Aucune opération"
            why={`Une opération réunit des producteurs et des consommateurs voisins.${canCreate ? ' L’assistant vous guide en huit étapes, et un brouillon suffit pour commencer.' : ''}`}
            action={<NewOperationButton />}
          />
        }
      />
    </>
  )
}
