import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { withAccess } from '../../../lib/can.tsx'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Section } from './section.tsx'

/** Only whoever never took part can go. */
export const RemoveSection = withAccess(
  participants.remove,
  ({ participant, onDone }: { participant: ParticipantDetail; onDone: () => void }) => {
    const { id, name } = participant
    const remove = useAction(participants.remove, [participants.list])
    const removeParticipant = async () => {
      await remove.run({ params: { id } })
      toast({ title: 'Participant supprimé', description: name, variant: 'success' })
      onDone()
    }
    return (
      <Section title="Suppression">
        <p className="mb-3 text-body text-ink-soft">Ce participant n’a jamais pris part à une opération.</p>
        <Confirm
          title="Supprimer ce participant&#160;?"
          description={`${name} et ses consentements seront supprimés. Cette action ne peut pas être annulée.`}
          action="Supprimer le participant"
          onConfirm={removeParticipant}
          trigger={
            <Button variant="secondary" size="small">
              Supprimer le participant
            </Button>
          }
        />
      </Section>
    )
  },
)
