import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import Send from 'lucide-react/icons/send'
import { withAccess } from '../../../lib/can.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { getErrorReason } from '../../../lib/reason.ts'
import { toast } from '../../../lib/toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES, PORTAL_STATUS_LABELS } from '../labels.ts'
import { Section } from './section.tsx'

const STATUS_SENTENCES: Record<ParticipantDetail['portal']['status'], string> = {
  none: 'Cette personne n’a pas encore été invitée.',
  invited: 'L’invitation a été envoyée et attend une réponse. Son lien est valable sept jours.',
  active: 'Cette personne peut se connecter au portail.',
  disabled: 'Le compte est désactivé. Il se réactive dans les utilisateurs.',
}

const InviteButton = withAccess(
  participants.invite,
  ({ participant: { id, email, portal } }: { participant: ParticipantDetail }) => {
    const invite = useAction(participants.invite, PARTICIPANT_DEPENDENT_QUERIES)
    const send = () =>
      invite.run({ params: { id } }).then(
        () =>
          toast({ title: 'Invitation envoyée', description: `Un lien est parti vers ${email}.`, variant: 'success' }),
        (error: unknown) =>
          toast({ title: 'Invitation impossible', description: getErrorReason(error), variant: 'destructive' }),
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
  const canInvite = portal.status === 'none' || portal.status === 'invited'
  return (
    <Section title="Portail" actions={canInvite && <InviteButton participant={participant} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body">
        <Badge tone={PORTAL_STATUS_LABELS[portal.status].tone}>{PORTAL_STATUS_LABELS[portal.status].label}</Badge>
        <span className="text-ink-soft">
          {STATUS_SENTENCES[portal.status]}
          {portal.lastSignInAt && ` Dernière connexion le ${formatDateTime(portal.lastSignInAt)}.`}
        </span>
      </p>
    </Section>
  )
}
