import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { z } from 'zod'
import { Can } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { Textarea } from '../../../ui/textarea.tsx'
import { IdentityForm, toParticipantIdentity } from '../identity-form.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { Section } from './section.tsx'
import { useRefreshOnError } from './use-refresh.ts'

const NotesForm = z.object({ notes: IdentityForm.shape.notes })

function NotesEditForm({ participant }: { participant: ParticipantDetail }) {
  const update = useAction(participants.update, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  const form = useSchemaForm(NotesForm, {
    defaults: { notes: participant.notes },
    save: async ({ notes }) => {
      const body = { ...toParticipantIdentity(participant), notes, version: participant.version }
      await update.run({ params: { id: participant.id }, body }).catch(refresh)
      form.reset({ notes })
      toast({ title: 'Notes enregistrées', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <Field form={form} name="notes" label="Notes internes" hint="Le participant ne les voit pas." optional>
        {(control) => <Textarea {...control} rows={3} />}
      </Field>
      {form.formState.isDirty && (
        <Button type="submit" size="small" loading={form.formState.isSubmitting} className="justify-self-end">
          Enregistrer les notes
        </Button>
      )}
    </form>
  )
}

/** Those who may not write them read them, where there are any. */
export const NotesSection = ({ participant }: { participant: ParticipantDetail }) => (
  <Section title="Notes">
    <Can
      call={participants.update}
      otherwise={
        <p className="text-body break-words whitespace-pre-line text-ink-soft">{participant.notes || 'Aucune note.'}</p>
      }
    >
      <NotesEditForm participant={participant} />
    </Can>
  </Section>
)
