import { type User, users } from '@voisol/contract/users'
import { dateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu, tableFormat } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Column } from '../../ui/table.tsx'
import { ImportDialog } from './import.tsx'
import { InviteDialog } from './invite.tsx'
import { nameOf, options, ROLES, STATUSES } from './labels.ts'
import { UserActions } from './row-actions.tsx'

const columns: Column<User>[] = [
  {
    header: 'Nom',
    sort: 'name',
    cell: (user) => (
      <span className="flex min-w-48 items-center gap-3">
        <Avatar firstName={user.firstName} lastName={user.lastName} size={28} />
        <span className="min-w-0">
          <span className="block font-medium">{nameOf(user)}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{user.email}</span>
        </span>
      </span>
    ),
  },
  { header: 'Rôle', sort: 'role', cell: (user) => ROLES[user.role] },
  {
    header: 'État',
    sort: 'status',
    cell: ({ status }) => <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>,
  },
  { header: 'Double authentification', cell: (user) => (user.secondFactor ? 'Activée' : 'Non activée') },
  {
    header: 'Dernière connexion',
    sort: 'lastSignInAt',
    cell: (user) => (user.lastSignInAt ? dateTime(user.lastSignInAt) : 'Jamais'),
  },
]

const statusLabels = Object.fromEntries(Object.entries(STATUSES).map(([key, { label }]) => [key, label]))

export function UserList() {
  const list = useList(users.list)
  return (
    <>
      <PageHeader
        title="Utilisateurs"
        description="Les administrateurs de l’organisation et les clients invités au portail."
        actions={
          <>
            <ImportDialog />
            <InviteDialog />
          </>
        }
      />
      <ListScreen
        list={list}
        label="Utilisateurs"
        search="Rechercher un nom ou une adresse"
        columns={columns}
        filters={
          <>
            <FilterChips
              label="Rôle"
              options={options(ROLES)}
              value={list.filters.role}
              onChange={(role) => list.setFilters({ role })}
            />
            <FilterChips
              label="État"
              options={options(statusLabels)}
              value={list.filters.status}
              onChange={(status) => list.setFilters({ status })}
            />
          </>
        }
        exports={
          <ExportMenu
            endpoint={users.export}
            input={(format) => ({ query: { ...list.filters, format: tableFormat(format) } })}
          />
        }
        rowActions={(user) => <UserActions user={user} />}
        empty={
          <EmptyState
            title="Aucun utilisateur"
            why="Invitez une première personne&nbsp;: elle recevra un lien par e-mail."
          />
        }
      />
    </>
  )
}
