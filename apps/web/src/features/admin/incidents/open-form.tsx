import { INCIDENT_SEVERITY_LABELS, INCIDENT_STATES } from '@voisol/contract/incident-states'
import { incidents, NewIncident } from '@voisol/contract/incidents'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PartCheckboxes } from './incident-fields.tsx'

const toOptions = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
const { resolved: _, ...FIRST_STATES } = INCIDENT_STATES

/** What is published at once: on the page, by mail to subscribers, to webhooks. */
export default function OpenIncidentDialog({ onClose }: { onClose: () => void }) {
  const open = useAction(incidents.open, [incidents.list])
  const form = useSchemaForm(NewIncident, {
    defaults: { title: '', parts: [], severity: 'minor', state: 'investigating', message: '' },
    save: async (body) => {
      await open.run({ body })
      toast({ title: 'Incident publié', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      title="Ouvrir un incident"
      description="Il est publié aussitôt sur la page d’état du service et envoyé à ses abonnés."
      open
      onOpenChange={(is) => !is && onClose()}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="title" label="Titre" placeholder="Messages retardés" autoComplete="off" />
        <PartCheckboxes
          value={form.watch('parts')}
          problem={form.formState.errors.parts?.message}
          onChange={(parts) =>
            form.setValue('parts', parts, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
          }
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field form={form} name="severity" label="Gravité">
            {(control) => <Select {...control} options={toOptions(INCIDENT_SEVERITY_LABELS)} />}
          </Field>
          <Field form={form} name="state" label="Où en est-on">
            {(control) => <Select {...control} options={toOptions(FIRST_STATES)} />}
          </Field>
        </div>
        <Field
          form={form}
          name="message"
          label="Message"
          hint="Ce que l’on constate, qui est touché, ce que l’on fait."
        >
          {(control) => <Textarea {...control} />}
        </Field>
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
          Publier l’incident
        </Button>
      </form>
    </Dialog>
  )
}
