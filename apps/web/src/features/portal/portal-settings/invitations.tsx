import { participants } from '@voisol/contract/participants'
import { type PortalPerson, portalManagement } from '@voisol/contract/portal-management'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { INVITATION_STATE_LABELS } from './labels.ts'
import { INVITATION_STATE_COLUMN, NAME_COLUMN, OPERATIONS_COLUMN, PortalOperationFilter } from './person-table.tsx'

const DEPENDENT_QUERIES = [portalManagement.people, portalManagement.adoption]
const ACTION_LABELS = { none: 'Inviter', sent: 'Relancer', expired: 'Relancer' } as const

const InviteButton = withAccess(participants.invite, ({ row }: { row: PortalPerson }) => {
  const invite = useAction(participants.invite, DEPENDENT_QUERIES)
  const { state, email, id, name } = row
  if (!email || state === 'accepted' || state === 'disabled') return null
  const run = () =>
    invite.run({ params: { id } }).then(
      () => toast({ title: `Invitation envoyée à ${email}`, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Invitation non envoyée', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="quiet"
      size="small"
      loading={invite.isPending}
      onClick={run}
      aria-label={`${ACTION_LABELS[state]} ${name}`}
    >
      {ACTION_LABELS[state]}
    </Button>
  )
})

const RemindAllButton = withAccess(
  portalManagement.remindAll,
  ({ operationId }: { operationId: string | undefined }) => {
    const remind = useAction(portalManagement.remindAll, DEPENDENT_QUERIES)
    const run = async () => {
      const { sent, left } = await remind.run({ body: operationId ? { operationId } : {} })
      const rest =
        left > 0
          ? `${formatCount(left, 'personne écrite', 'personnes écrites')} depuis moins de trois jours.`
          : undefined
      toast({
        title: `${formatCount(sent, 'relance envoyée', 'relances envoyées')}`,
        ...(rest && { description: rest }),
        variant: 'success',
      })
    }
    return (
      <Confirm
        trigger={<Button variant="secondary">Relancer tous ceux qui n’ont pas répondu</Button>}
        title="Relancer les invitations sans réponse&#160;?"
        description="Chaque personne reçoit un nouveau lien, et l’ancien ne sert plus. Qui a été écrit depuis moins de trois jours est laissé en paix."
        action="Envoyer les relances"
        tone="primary"
        onConfirm={run}
      />
    )
  },
)

const STATE_OPTIONS = Object.entries(INVITATION_STATE_LABELS).map(([value, { label }]) => ({ value, label }))

const INVITED_AT_COLUMN: Column<PortalPerson> = {
  header: 'Envoyée le',
  card: 'primary',
  sort: 'invitedAt',
  cell: ({ invitedAt, remindedAt }) => (
    <span className="block min-w-36">
      {invitedAt ? formatDate(invitedAt) : 'Jamais'}
      {remindedAt && <span className="block text-[0.8125rem] text-ink-soft">relancée le {formatDate(remindedAt)}</span>}
    </span>
  ),
}

/** Where each participant's invitation stands. */
export default function Invitations() {
  const list = useList(portalManagement.people)
  return (
    <ListScreen
      list={list}
      label="Invitations"
      search="Rechercher un nom ou une adresse"
      columns={[NAME_COLUMN, OPERATIONS_COLUMN, INVITATION_STATE_COLUMN, INVITED_AT_COLUMN]}
      filters={
        <>
          <PortalOperationFilter
            value={list.filters.operationId}
            onChange={(operationId) => list.setFilters({ operationId })}
          />
          <FilterChips
            label="État de l’invitation"
            options={STATE_OPTIONS}
            value={list.filters.state}
            onChange={(state) => list.setFilters({ state })}
          />
        </>
      }
      actions={<RemindAllButton operationId={list.filters.operationId} />}
      rowActions={(row) => <InviteButton row={row} />}
      empty={
        <EmptyState
          title="Aucun participant"
          why="Les participants de vos opérations apparaissent ici, avec leur invitation au portail."
          action={<ButtonLink to="/participants">Ajouter des participants</ButtonLink>}
        />
      }
    />
  )
}
