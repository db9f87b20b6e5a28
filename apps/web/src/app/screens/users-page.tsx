import { NewRoleButton, RoleList } from '../../features/identity/roles/list.tsx'
import { ImportUsersDialog, InviteUserDialog } from '../../features/identity/users/invite-users.tsx'
import { UserList } from '../../features/identity/users/list.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  {
    id: 'personnes',
    label: 'Personnes',
    permission: 'users.read',
    panel: UserList,
    actions: (
      <>
        <ImportUsersDialog />
        <InviteUserDialog />
      </>
    ),
  },
  { id: 'roles', label: 'Rôles', permission: 'roles.read', panel: RoleList, actions: <NewRoleButton /> },
]

/** Who works here and who is invited to the portal, and what each role may do. */
export default function UsersPage() {
  return (
    <TabbedPage
      title="Utilisateurs"
      description="Les personnes de l’organisation et leurs droits, les clients invités au portail."
      panels={PANELS}
      by="onglet"
    />
  )
}
