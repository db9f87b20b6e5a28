import { dataExports, type NewExport, NewExportPlan } from '@voisol/contract/exports'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { EXPORT_PERIOD_LABELS, type ExportDataSets } from './labels.ts'

type Props = { order: NewExport; connections: ExportDataSets['connections']; onClose: () => void }
const PERIOD_OPTIONS = Object.entries(EXPORT_PERIOD_LABELS).map(([value, label]) => ({ value, label }))

/** The same export at each run of a connection, over the days that have passed by then. */
export default function PlanDialog({ order, connections, onClose }: Props) {
  const plan = useAction(dataExports.plan, [dataExports.plans])
  const { from, to: _, ...rest } = order
  const form = useSchemaForm(NewExportPlan, {
    defaults: { ...rest, name: '', connectionId: connections[0]?.id ?? '', period: 'last-month' },
    save: async (body) => {
      await plan.run({ body })
      toast({ title: 'Export régulier enregistré', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      title="Envoyer régulièrement"
      description="Le fichier part à chaque passage de la connexion, en votre nom et dans la limite de vos droits."
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom" autoComplete="off" />
        <Field form={form} name="connectionId" label="Connexion" hint="Son horaire décide du moment de l’envoi.">
          {(control) => (
            <Select {...control} options={connections.map(({ id, name }) => ({ value: id, label: name }))} />
          )}
        </Field>
        {from && (
          <Field form={form} name="period" label="Jours envoyés">
            {(control) => <Select {...control} options={PERIOD_OPTIONS} />}
          </Field>
        )}
        <div className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer l’envoi
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
