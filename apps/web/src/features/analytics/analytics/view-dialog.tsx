import { analytics, ViewDraft } from '@voisol/contract/analytics'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

/** A name for what is shown now, for oneself or for everybody who may see analyses. */
export default function ViewDialog({ search, onClose }: { search: string; onClose: () => void }) {
  const save = useAction(analytics.saveView, [analytics.views])
  const form = useSchemaForm(ViewDraft, {
    defaults: { name: '', search, shared: false },
    save: async (body) => {
      await save.run({ body })
      toast({ title: 'Vue enregistrée', description: body.name, variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Enregistrer cette vue"
      description="La période, l’opération et les comparaisons que vous regardez, sous un nom."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom de la vue" autoFocus />
        <Checkbox {...form.register('shared')} label="La partager avec l’organisation" />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer la vue
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
