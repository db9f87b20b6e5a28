import { portalManagement } from '@voisol/contract/portal-management'
import { useList } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { AdoptionCard } from './adoption.tsx'
import { PortalOperationFilter } from './operation-filter.tsx'
import { LAST_SIGN_IN_COLUMN, LAST_VISIT_COLUMN, NAME_COLUMN, OPERATIONS_COLUMN } from './person-columns.tsx'

/** Who came, and when. */
export default function SignIns() {
  const list = useList(portalManagement.people, { state: 'accepted' })
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <AdoptionCard />
      <ListScreen
        list={list}
        label="Connexions"
        search="Rechercher un nom ou une adresse"
        columns={[NAME_COLUMN, OPERATIONS_COLUMN, LAST_SIGN_IN_COLUMN, LAST_VISIT_COLUMN]}
        filters={
          <PortalOperationFilter
            value={list.filters.operationId}
            onChange={(operationId) => list.setFilters({ operationId })}
          />
        }
        empty={
          <EmptyState
            title="Personne n’a encore de compte"
            why="Qui accepte son invitation apparaît ici, avec ses dernières visites."
            action={
              <ButtonLink variant="secondary" to="/client-portal-management?tab=invitations">
                Voir les invitations
              </ButtonLink>
            }
          />
        }
      />
    </div>
  )
}
