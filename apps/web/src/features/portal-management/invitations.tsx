import { participants } from '@voisol/contract/participants'
import { type PortalPerson, portalManagement } from '@voisol/contract/portal-management'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { plural } from '../../lib/format.ts'
import { useAction, useList } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { OperationFilter } from './operation-filter.tsx'
import { NAME, OPERATIONS, SENT, STATE } from './person-columns.tsx'
import { STATES } from './words.ts'

const REFRESH = [portalManagement.people, portalManagement.adoption]
const WORDS = { none: 'Inviter', sent: 'Relancer', expired: 'Relancer' } as const

const Invite = only(participants.invite, ({ row }: { row: PortalPerson }) => {
  const invite = useAction(participants.invite, REFRESH)
  const { state, email, id, name } = row
  if (!email || state === 'accepted' || state === 'disabled') return null
  const run = () =>
    invite.run({ params: { id } }).then(
      () => toast({ title: `Invitation envoyée à ${email}`, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Invitation non envoyée', description: explain(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="quiet"
      size="small"
      loading={invite.isPending}
      onClick={run}
      aria-label={`${WORDS[state]} ${name}`}
    >
      {WORDS[state]}
    </Button>
  )
})

const RemindAll = only(portalManagement.remindAll, ({ operationId }: { operationId: string | undefined }) => {
  const remind = useAction(portalManagement.remindAll, REFRESH)
  const run = async () => {
    const { sent, left } = await remind.run({ body: operationId ? { operationId } : {} })
    const rest =
      left > 0 ? `${plural(left, 'personne écrite', 'personnes écrites')} depuis moins de trois jours.` : undefined
    toast({
      title: `${plural(sent, 'relance envoyée', 'relances envoyées')}`,
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
})

const options = Object.entries(STATES).map(([value, { label }]) => ({ value, label }))

/** Where each participant's invitation stands. */
export default function Invitations() {
  const list = useList(portalManagement.people)
  return (
    <ListScreen
      list={list}
      label="Invitations"
      search="Rechercher un nom ou une adresse"
      columns={[NAME, OPERATIONS, STATE, SENT]}
      filters={
        <>
          <OperationFilter
            value={list.filters.operationId}
            onChange={(operationId) => list.setFilters({ operationId })}
          />
          <FilterChips
            label="État de l’invitation"
            options={options}
            value={list.filters.state}
            onChange={(state) => list.setFilters({ state })}
          />
        </>
      }
      actions={<RemindAll operationId={list.filters.operationId} />}
      rowActions={(row) => <Invite row={row} />}
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
