import { type PortalPerson, portalManagement } from '@voisol/contract/portal-management'
import Eye from 'lucide-react/icons/eye'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { setImpersonationId } from '../../../lib/storage.ts'
import { toast } from '../../../lib/toast.ts'
import {
  INVITATION_STATE_COLUMN,
  LAST_VISIT_COLUMN,
  NAME_COLUMN,
  OPERATIONS_COLUMN,
  PortalOperationFilter,
} from './person-table.tsx'

const ViewPortalButton = withAccess(portalManagement.view, ({ row }: { row: PortalPerson }) => {
  const view = useAction(portalManagement.view, [])
  if (row.state === 'none') return <span className="text-[0.8125rem] text-ink-soft">Pas encore de portail</span>
  const open = async () => {
    try {
      const { viewId } = await view.run({ params: { id: row.id } })
      setImpersonationId(viewId)
      // The page starts anew as the participant's: nothing that was read before is left in it.
      location.assign('/client-portal')
    } catch (error) {
      toast({ title: 'Portail non ouvert', description: explainError(error), variant: 'destructive' })
    }
  }
  return (
    <Button
      variant="secondary"
      size="small"
      loading={view.isPending}
      onClick={open}
      icon={<Eye aria-hidden="true" />}
      aria-label={`Voir le portail de ${row.name}`}
    >
      Voir son portail
    </Button>
  )
})

/** Whose portal one wants to see. */
export default function PortalViewPicker() {
  const list = useList(portalManagement.people)
  return (
    <>
      <PageHeader
        title="Portail vu par un participant"
        description="Ses écrans tels qu’il les voit, en lecture seule. Chaque ouverture est écrite au journal d’audit."
      />
      <ListScreen
        list={list}
        label="Participants"
        search="Rechercher un nom ou une adresse"
        columns={[NAME_COLUMN, OPERATIONS_COLUMN, INVITATION_STATE_COLUMN, LAST_VISIT_COLUMN]}
        filters={
          <PortalOperationFilter
            value={list.filters.operationId}
            onChange={(operationId) => list.setFilters({ operationId })}
          />
        }
        rowActions={(row) => <ViewPortalButton row={row} />}
        empty={
          <EmptyState
            title="Aucun participant"
            why="Un portail existe dès qu’un participant est invité."
            action={<ButtonLink to="/participants">Ajouter des participants</ButtonLink>}
          />
        }
      />
    </>
  )
}
