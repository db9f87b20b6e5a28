import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import UserPlus from 'lucide-react/icons/user-plus'
import { type ReactElement, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { FormErrors } from '../../../../components/field.tsx'
import { Steps } from '../../../../components/steps.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { useSchemaForm } from '../../../../lib/form.ts'
import { useAction } from '../../../../lib/queries.ts'
import { useDialogParam } from '../../../../lib/use-dialog-param.ts'
import { EntryFields } from '../entry-form.tsx'
import { EMPTY_IDENTITY, IdentityFields, IdentityForm, withoutUnusedNames } from '../identity-form.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'

type NewParticipantFormProps = { action: string; onDone: (person: ParticipantDetail) => void }

/** Somebody new; a point is another matter. */
export function NewParticipantForm({ action, onDone }: NewParticipantFormProps) {
  const create = useAction(participants.create, PARTICIPANT_DEPENDENT_QUERIES)
  const form = useSchemaForm(IdentityForm, {
    defaults: EMPTY_IDENTITY,
    save: async (identity) => onDone(await create.run({ body: withoutUnusedNames(identity) })),
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <IdentityFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        {action}
      </Button>
    </form>
  )
}

function AddParticipantSteps({ operationId, onDone }: { operationId?: string; onDone: () => void }) {
  const [person, setPerson] = useState<ParticipantDetail>()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Steps steps={['Participant', 'Point de livraison']} current={person ? 1 : 0} />
      {person ? (
        <>
          <p role="status" className="text-body">
            <span className="font-medium">{person.name}</span> est enregistré. Indiquez son point de livraison
            maintenant, ou plus tard depuis sa fiche.
          </p>
          <EntryFields
            participantId={person.id}
            operationId={operationId}
            onDone={onDone}
            later={
              <Button variant="secondary" onClick={onDone}>
                Plus tard
              </Button>
            }
          />
        </>
      ) : (
        <NewParticipantForm action="Enregistrer et continuer" onDone={setPerson} />
      )}
    </div>
  )
}

type AddParticipantDialogProps = {
  operationId?: string
  open: boolean
  onOpenChange: (open: boolean) => void
  trigger?: ReactElement<object>
}

export const AddParticipantDialog = withAccess(
  participants.create,
  ({ operationId, open, onOpenChange, trigger }: AddParticipantDialogProps) => (
    <Dialog
      title="Ajouter un participant"
      description="Une personne ou une organisation, puis son point de livraison."
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
    >
      <AddParticipantSteps operationId={operationId} onDone={() => onOpenChange(false)} />
    </Dialog>
  ),
)

export function AddParticipantButton({ operationId }: { operationId?: string }) {
  const [open, setOpen] = useDialogParam('ajouter')
  const button = <Button icon={<UserPlus aria-hidden="true" />}>Ajouter</Button>
  return <AddParticipantDialog operationId={operationId} open={open} onOpenChange={setOpen} trigger={button} />
}
