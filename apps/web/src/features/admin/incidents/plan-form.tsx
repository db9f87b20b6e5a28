import { incidents, NewMaintenance } from '@voisol/contract/incidents'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ParisDateTimeField, PartCheckboxes } from './incident-fields.tsx'

const PlanForm = NewMaintenance.extend({ startsAt: ParisDateTimeField, endsAt: ParisDateTimeField })

export default function PlanMaintenanceDialog({ onClose }: { onClose: () => void }) {
  const plan = useAction(incidents.plan, [incidents.list])
  const form = useSchemaForm(PlanForm, {
    defaults: { title: '', parts: [], startsAt: '', endsAt: '', message: '' },
    save: async (body) => {
      await plan.run({ body })
      toast({ title: 'Maintenance annoncée', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      title="Annoncer une maintenance"
      description="Elle est annoncée aussitôt sur la page d’état du service et à ses abonnés. Ce qui est mesuré pendant ce temps compte quand même, et porte sa marque."
      open
      onOpenChange={(is) => !is && onClose()}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="title" label="Titre" placeholder="Mise à jour de la base" autoComplete="off" />
        <PartCheckboxes
          value={form.watch('parts')}
          problem={form.formState.errors.parts?.message}
          onChange={(parts) =>
            form.setValue('parts', parts, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
          }
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field form={form} name="startsAt" label="Début" type="datetime-local" hint="Heure de Paris." />
          <Field form={form} name="endsAt" label="Fin" type="datetime-local" hint="Sept jours au plus." />
        </div>
        <Field form={form} name="message" label="Message" hint="Ce qui sera fait, et ce qui ne marchera pas.">
          {(control) => <Textarea {...control} />}
        </Field>
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
          Annoncer la maintenance
        </Button>
      </form>
    </Dialog>
  )
}
