import { useQuery } from '@tanstack/react-query'
import { type Role, roles } from '@voisol/contract/roles'
import { number, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { shownTo } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { RoleActions } from './actions.tsx'

const soft = 'block text-[0.8125rem] text-ink-soft'

const People = ({ role: { id, people } }: { role: Role }) =>
  people > 0 ? (
    <Link to={`?role=${id}`} className="whitespace-nowrap text-link">
      {plural(people, 'personne')}
    </Link>
  ) : (
    <span className="text-ink-soft">Personne</span>
  )

const Rights = ({ role: { id, permissions } }: { role: Role }) => {
  const shown = shownTo(permissions, useUser().permissions)
  return id === 'client' ? 'Portail' : number(shown.length)
}

const columns: Column<Role>[] = [
  {
    header: 'Rôle',
    cell: ({ name, purpose }) => (
      <span className="block min-w-56 py-1.5">
        <span className="block font-medium">{name}</span>
        {purpose && <span className={soft}>{purpose}</span>}
      </span>
    ),
  },
  {
    header: 'Origine',
    cell: ({ builtIn }) =>
      builtIn ? <Badge tone="neutral">Voisol</Badge> : <Badge tone="info">Votre organisation</Badge>,
  },
  {
    header: 'Droits',
    align: 'end',
    cell: (role) => <Rights role={role} />,
  },
  { header: 'Personnes', cell: (role) => <People role={role} /> },
]

/** The roles of the product, then the company's own. */
export function RoleList() {
  const { data, error, refetch } = useQuery({ ...query(roles.list, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Rôles" />
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p className="prose-width text-body text-ink-soft">
        Un rôle est un ensemble de droits. Les six premiers viennent avec Voisol et ne changent pas&nbsp;; définissez
        les vôtres quand aucun ne convient.
      </p>
      <Table label="Rôles" rows={data.items} columns={columns} rowActions={(role) => <RoleActions role={role} />} />
    </div>
  )
}
