import { roles } from '@voisol/contract/roles'
import { useSearchParams } from 'react-router'
import { NewRoleButton } from '../features/roles/actions.tsx'
import { RoleList } from '../features/roles/list.tsx'
import { ImportDialog } from '../features/users/import.tsx'
import { InviteDialog } from '../features/users/invite.tsx'
import { UserList } from '../features/users/list.tsx'
import { useCan } from '../lib/can.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'

const ROLES = 'roles'
const TABS = [
  { value: 'personnes', label: 'Personnes', content: <UserList /> },
  { value: ROLES, label: 'Rôles', content: <RoleList /> },
]

/** Who works here and who is invited to the portal, and what each role may do. */
export default function UsersDesk() {
  const [search, setSearch] = useSearchParams()
  const seesRoles = useCan()(roles.list)
  const tab = seesRoles && search.get('onglet') === ROLES ? ROLES : 'personnes'
  return (
    <>
      <PageHeader
        title="Utilisateurs"
        description="Les personnes de l’organisation et leurs droits, les clients invités au portail."
        actions={
          tab === ROLES ? (
            <NewRoleButton />
          ) : (
            <>
              <ImportDialog />
              <InviteDialog />
            </>
          )
        }
      />
      {seesRoles ? (
        // Filters belong to their tab: another one starts without them.
        <Tabs
          label="Utilisateurs et rôles"
          tabs={TABS}
          value={tab}
          onChange={(onglet) => setSearch(onglet === ROLES ? { onglet } : {})}
        />
      ) : (
        <UserList />
      )}
    </>
  )
}
