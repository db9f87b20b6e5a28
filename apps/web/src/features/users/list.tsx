import { type User, users } from '@voisol/contract/users'
import { formatCount, formatDateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table.tsx'
import { getUserName, toOptions, USER_STATUS_LABELS } from './labels.ts'
import { UserActions } from './row-actions.tsx'
import { useRoles } from './use-roles.ts'

const columns: Column<User>[] = [
  {
    header: 'Nom',
    card: 'title',
    sort: 'name',
    cell: (user) => (
      <span className="flex min-w-48 items-center gap-3">
        <Avatar firstName={user.firstName} lastName={user.lastName} size={28} />
        <span className="min-w-0">
          <span className="block font-medium">{getUserName(user)}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{user.email}</span>
        </span>
      </span>
    ),
  },
  {
    header: 'Rôle',
    card: 'primary',
    sort: 'role',
    cell: ({ roleName, operationIds }) => (
      <span className="block min-w-36">
        {roleName}
        {operationIds && (
          <span className="block text-[0.8125rem] text-ink-soft">
            limité à {formatCount(operationIds.length, 'opération')}
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={USER_STATUS_LABELS[status].tone}>{USER_STATUS_LABELS[status].label}</Badge>,
  },
  {
    header: 'Double authentification',
    card: 'primary',
    cell: (user) => (user.secondFactor ? 'Activée' : 'Non activée'),
  },
  {
    header: 'Dernière connexion',
    card: 'primary',
    sort: 'lastSignInAt',
    cell: (user) => (user.lastSignInAt ? formatDateTime(user.lastSignInAt) : 'Jamais'),
  },
]

const STATUS_TEXTS = Object.fromEntries(Object.entries(USER_STATUS_LABELS).map(([key, { label }]) => [key, label]))

export function UserList() {
  const list = useList(users.list)
  const { items, known } = useRoles()
  return (
    <ListScreen
      list={list}
      label="Utilisateurs"
      search="Rechercher un nom ou une adresse"
      columns={columns}
      filters={
        <>
          <Select
            key={String(known)}
            aria-label="Rôle"
            className="sm:w-52"
            value={list.filters.role ?? ''}
            onChange={(event) => list.setFilters({ role: event.target.value })}
            options={[
              { value: '', label: 'Tous les rôles' },
              ...items.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <FilterChips
            label="État"
            options={toOptions(STATUS_TEXTS)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        </>
      }
      exports={
        <ExportMenu
          endpoint={users.export}
          input={(format) => ({ query: { ...list.filters, format: toTableFormat(format) } })}
        />
      }
      rowActions={(user) => <UserActions user={user} />}
      empty={
        <EmptyState
          title="Aucun utilisateur"
          why="Les personnes invitées apparaissent ici, avec leur rôle et leur dernière connexion."
          because="chosen-here"
        />
      }
    />
  )
}
