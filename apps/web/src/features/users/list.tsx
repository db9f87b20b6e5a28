import { type User, users } from '@voisol/contract/users'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { dateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
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

export default function UserList() {
  const list = useList(users.list)
  const exportAll = () =>
    download(users.export, { query: list.filters }).catch((error: unknown) =>
      toast({ title: 'Export impossible', description: explain(error), variant: 'destructive' }),
    )
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
          <Button variant="secondary" icon={<Download aria-hidden="true" />} onClick={exportAll}>
            Exporter en CSV
          </Button>
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
