import { ALL_INCIDENT_STATES, NEXT_INCIDENT_STATES } from '@voisol/contract/incident-states'
import { type Incident, IncidentNews, incidents } from '@voisol/contract/incidents'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatParisInput } from '../../../lib/paris-time.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ParisDateTimeField } from './incident-fields.tsx'

const NewsForm = IncidentNews.extend({ startsAt: ParisDateTimeField.optional(), endsAt: ParisDateTimeField.optional() })

type Props = { incident: Incident; onClose: () => void }

/** The window is asked for where it may still move; it goes along only where it does. */
function useNewsForm({ incident, onClose }: Props) {
  const publishNews = useAction(incidents.tell, [incidents.list])
  const { id, state, version } = incident
  const movable = state === 'planned'
  const window = { startsAt: formatParisInput(incident.startsAt), endsAt: formatParisInput(incident.endsAt) }
  const form = useSchemaForm(NewsForm, {
    defaults: { state, message: '', version, ...(movable && window) },
    save: async ({ startsAt, endsAt, ...body }) => {
      const { startsAt: start, endsAt: end } = form.formState.dirtyFields
      const isWindowChanged = body.state === 'planned' && (start || end)
      await publishNews.run({ params: { id }, body: isWindowChanged ? { ...body, startsAt, endsAt } : body })
      toast({ title: 'Nouvelle publiée', variant: 'success' })
      onClose()
    },
  })
  return { form, movable: movable && form.watch('state') === 'planned' }
}

export default function NewsDialog({ incident, onClose }: Props) {
  const { form, movable } = useNewsForm({ incident, onClose })
  const states = NEXT_INCIDENT_STATES[incident.state].map((value) => ({ value, label: ALL_INCIDENT_STATES[value] }))
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
