import { NewOnlineProvider, online } from '@voisol/contract/online'
import type { PaymentEnvironment } from '@voisol/contract/online-views'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PAYMENT_ENVIRONMENT_LABELS } from './labels.ts'

type Props = { owners: { id: string; name: string }[]; environments: PaymentEnvironment[]; onClose: () => void }

function AddProviderForm({ owners, environments, onClose }: Props) {
  const add = useAction(online.addProvider, [online.providers, online.sellers])
  const form = useSchemaForm(NewOnlineProvider, {
    defaults: {
      ownerId: owners[0]?.id ?? '',
      environment: environments[0] ?? 'test',
      everyone: false,
      card: true,
      debit: true,
      key: '',
      webhookSecret: '',
    },
    save: async (body) => {
      await add.run({ body })
      toast({ title: 'Prestataire branché', variant: 'success' })
      onClose()
    },
  })
  const environment = form.watch('environment')
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="ownerId" label="À qui est le compte">
        {(control) => <Select {...control} options={owners.map(({ id, name }) => ({ value: id, label: name }))} />}
      </Field>
      <Field form={form} name="environment" label="Prestataire" hint={PAYMENT_ENVIRONMENT_LABELS[environment].hint}>
        {(control) => (
          <Select
            {...control}
            options={environments.map((value) => ({ value, label: PAYMENT_ENVIRONMENT_LABELS[value].label }))}
          />
        )}
      </Field>
      {environment !== 'local' && (
        <>
          <Field
            form={form}
            name="key"
            label="Clé secrète"
            hint="Elle est essayée avant d’être gardée."
            autoComplete="off"
          />
          <Field
            form={form}
            name="webhookSecret"
            label="Secret du webhook"
            hint="Laissez vide&#160;: Voisol demande lui-même les messages du prestataire."
            autoComplete="off"
            optional
          />
        </>
      )}
      <Checkbox label="Carte bancaire" {...form.register('card')} />
      <Checkbox label="Prélèvement SEPA en ligne" {...form.register('debit')} />
      <Checkbox
        label="Encaisser aussi pour les vendeurs qui n’ont pas de prestataire"
        hint="L’argent leur est dû&#160;: il est tenu pour leur compte jusqu’au reversement."
        {...form.register('everyone')}
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Essayer et brancher
      </Button>
    </form>
  )
}

export default function AddProviderDialog(props: Props) {
  return (
    <Dialog title="Brancher un prestataire" open onOpenChange={(open) => !open && props.onClose()}>
      <AddProviderForm {...props} />
    </Dialog>
  )
}
