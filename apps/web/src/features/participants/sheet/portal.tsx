import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import Send from 'lucide-react/icons/send'
import { only } from '../../../lib/can.tsx'
import { dateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { toast } from '../../../lib/toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { PORTAL, TOUCHED } from '../labels.ts'
import { Section } from './section.tsx'

const SAID: Record<ParticipantDetail['portal']['status'], string> = {
  none: 'Cette personne n’a pas encore été invitée.',
  invited: 'L’invitation a été envoyée et attend une réponse. Son lien est valable sept jours.',
  active: 'Cette personne peut se connecter au portail.',
  disabled: 'Le compte est désactivé. Il se réactive dans les utilisateurs.',
}

const Invitation = only(
  participants.invite,
  ({ participant: { id, email, portal } }: { participant: ParticipantDetail }) => {
    const invite = useAction(participants.invite, TOUCHED)
    const send = () =>
      invite.run({ params: { id } }).then(
        () =>
          toast({ title: 'Invitation envoyée', description: `Un lien est parti vers ${email}.`, variant: 'success' }),
        (error: unknown) =>
          toast({ title: 'Invitation impossible', description: reasonOf(error), variant: 'destructive' }),
      )
    return (
      <Button
        variant="secondary"
        size="small"
        icon={<Send aria-hidden="true" />}
        loading={invite.isPending}
        onClick={send}
      >
        {portal.status === 'none' ? 'Inviter au portail' : 'Renvoyer l’invitation'}
      </Button>
    )
  },
)

export function PortalSection({ participant }: { participant: ParticipantDetail }) {
  const { portal } = participant
  const waits = portal.status === 'none' || portal.status === 'invited'
  return (
    <Section title="Portail" actions={waits && <Invitation participant={participant} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
        <Badge tone={PORTAL[portal.status].tone}>{PORTAL[portal.status].label}</Badge>
        <span className="text-ink-soft">
          {SAID[portal.status]}
          {portal.lastSignInAt && ` Dernière connexion le ${dateTime(portal.lastSignInAt)}.`}
        </span>
      </p>
    </Section>
  )
}
