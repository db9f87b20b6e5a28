import { NEXT, STATES } from '@voisol/contract/incident-words'
import { type Incident, IncidentNews, incidents } from '@voisol/contract/incidents'
import { useSchemaForm } from '../../lib/form.ts'
import { toField } from '../../lib/paris-time.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { Moment } from './moments.ts'

const NewsForm = IncidentNews.extend({ startsAt: Moment.optional(), endsAt: Moment.optional() })

type Props = { incident: Incident; onClose: () => void }

/** The window is asked for where it may still move; it goes along only where it does. */
function useNews({ incident, onClose }: Props) {
  const tell = useAction(incidents.tell, [incidents.list])
  const { id, state, version } = incident
  const movable = state === 'planned'
  const window = { startsAt: toField(incident.startsAt), endsAt: toField(incident.endsAt) }
  const form = useSchemaForm(NewsForm, {
    defaults: { state, message: '', version, ...(movable && window) },
    save: async ({ startsAt, endsAt, ...body }) => {
      const { startsAt: start, endsAt: end } = form.formState.dirtyFields
      const moved = body.state === 'planned' && (start || end)
      await tell.run({ params: { id }, body: moved ? { ...body, startsAt, endsAt } : body })
      toast({ title: 'Nouvelle publiée', variant: 'success' })
      onClose()
    },
  })
  return { form, movable: movable && form.watch('state') === 'planned' }
}

export default function NewsDialog({ incident, onClose }: Props) {
  const { form, movable } = useNews({ incident, onClose })
  const states = NEXT[incident.state].map((value) => ({ value, label: STATES[value] }))
  return (
    <Dialog
      title={incident.title}
      description="Ce que vous publiez ne se modifie plus : une erreur se corrige par une nouvelle de plus."
      open
      onOpenChange={(is) => !is && onClose()}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="state" label="Où en est-on">
          {(control) => <Select {...control} options={states} />}
        </Field>
        {movable && (
          <div className="grid gap-5 sm:grid-cols-2">
            <Field form={form} name="startsAt" label="Début" type="datetime-local" hint="Heure de Paris." />
            <Field form={form} name="endsAt" label="Fin" type="datetime-local" />
          </div>
        )}
        <Field form={form} name="message" label="Message">
          {(control) => <Textarea {...control} />}
        </Field>
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
          Publier la nouvelle
        </Button>
      </form>
    </Dialog>
  )
}
