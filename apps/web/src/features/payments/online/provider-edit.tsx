import { OnlineProviderUpdate, online } from '@voisol/contract/online'
import type { OnlineProvider } from '@voisol/contract/online-views'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Props = { provider: OnlineProvider; onClose: () => void }

function EditProviderForm({ provider, onClose }: Props) {
  const update = useAction(online.updateProvider, [online.providers, online.sellers])
  const [{ id, everyone, card, debit, version, hint, environment }] = useState(provider)
  const form = useSchemaForm(OnlineProviderUpdate, {
    defaults: { everyone, card, debit, key: '', webhookSecret: '', version },
    save: async (body) => {
      await update.run({ params: { id }, body })
      toast({ title: 'Prestataire modifié', variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Checkbox label="Carte bancaire" {...form.register('card')} />
      <Checkbox label="Prélèvement SEPA en ligne" {...form.register('debit')} />
      <Checkbox
        label="Encaisser aussi pour les vendeurs qui n’ont pas de prestataire"
        hint="L’argent leur est dû&#160;: il est tenu pour leur compte jusqu’au reversement."
        {...form.register('everyone')}
      />
      {environment !== 'local' && (
        <>
          <Field
            form={form}
            name="key"
            label="Nouvelle clé secrète"
            hint={`Enregistrée\u00a0: •••• ${hint}. Laissez vide pour la garder\u00a0; une autre du même compte est essayée d’abord.`}
            autoComplete="off"
            optional
          />
          <Field
            form={form}
            name="webhookSecret"
            label="Nouveau secret du webhook"
            hint="Laissez vide pour garder le sien."
            autoComplete="off"
            optional
          />
        </>
      )}
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le prestataire
      </Button>
    </form>
  )
}

/** The ways to pay and the key of a provider; another account of it is another provider. */
export default function EditProviderDialog(props: Props) {
  return (
    <Dialog
      title={`Prestataire de ${props.provider.owner.name}`}
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <EditProviderForm {...props} />
    </Dialog>
  )
}
