import { seo } from '@voisol/contract/seo'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'

function AddRedirectForm({ onDone }: { onDone: () => void }) {
  const add = useAction(seo.addRedirect, [seo.redirects])
  const form = useSchemaForm(seo.addRedirect.body, {
    defaults: { from: '', to: '', permanent: true },
    save: async (body) => {
      await add.run({ body })
      toast({ title: 'Redirection ajoutée', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="from" label="Ancienne adresse" placeholder="/ancienne-page" autoComplete="off" />
      <Field form={form} name="to" label="Nouvelle adresse" placeholder="/pricing" autoComplete="off" />
      <Checkbox
        {...form.register('permanent')}
        label="Définitive"
        hint="Les moteurs de recherche remplacent l’ancienne adresse par la nouvelle."
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Ajouter la redirection
      </Button>
    </form>
  )
}

export const AddRedirectButton = withAccess(seo.addRedirect, () => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Ajouter une redirection"
      description="L’ancienne adresse ne doit pas être celle d’une page, et la nouvelle doit en être une."
      width="narrow"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<Plus aria-hidden="true" />}>Ajouter une redirection</Button>}
    >
      <AddRedirectForm onDone={() => setOpen(false)} />
    </Dialog>
  )
})
