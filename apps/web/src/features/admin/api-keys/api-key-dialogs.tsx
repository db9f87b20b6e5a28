import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { dayInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import {
  ApiKeyChangeForm,
  ApiKeyLimitFields,
  type ApiKeyLimitForm,
  ApiKeySecret,
  toApiKeyFormValues,
} from './api-key-fields.tsx'

type Props = { apiKey: ApiKey; onClose: () => void }
const quoteKeyName = ({ name }: ApiKey) => `«\u00a0${name}\u00a0»`

export function EditApiKeyDialog({ apiKey, onClose }: Props) {
  const update = useAction(apiKeys.update, [apiKeys.list])
  const form = useSchemaForm(ApiKeyChangeForm, {
    defaults: { ...toApiKeyFormValues(apiKey), version: apiKey.version },
    save: async (body) => {
      await update.run({ params: { id: apiKey.id }, body })
      toast({ title: 'Clé enregistrée', description: body.name, variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      title={`Modifier ${quoteKeyName(apiKey)}`}
      description={'Ses droits ne changent pas\u00a0: créez une autre clé pour d’autres droits.'}
      open
      onOpenChange={onClose}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom de la clé" autoComplete="off" />
        <ApiKeyLimitFields form={form as unknown as ApiKeyLimitForm} /* its fields are among this form's */ />
        <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
          Enregistrer la clé
        </Button>
      </form>
    </Dialog>
  )
}

const RotateInput = z.object({ overlapHours: z.string().transform(Number), expiresOn: dayInputSchema })
const describeOverlap = (hours: number) =>
  hours === 0
    ? 'L’ancienne clé ne vaut plus rien.'
    : `L’ancienne clé vaut encore jusqu’au ${formatDateTime(Date.now() + hours * 3_600_000)}.`

/** How long the old key may stay, in hours. */
const OVERLAP_OPTIONS = [
  { value: '0', label: 'Aucun', hint: 'L’ancienne s’arrête à l’instant\u00a0: pour une clé perdue ou copiée.' },
  { value: '1', label: 'Une heure' },
  { value: '24', label: 'Un jour' },
  { value: '168', label: 'Sept jours' },
  { value: '720', label: 'Trente jours' },
]

export function RotateApiKeyDialog({ apiKey, onClose }: Props) {
  const [made, setMade] = useState<{ key: string; hours: number }>()
  const rotate = useAction(apiKeys.rotate, [apiKeys.list])
  const form = useSchemaForm(RotateInput, {
    defaults: { overlapHours: '24', expiresOn: apiKey.expiresOn ?? '' },
    save: async (body) => {
      const { key } = await rotate.run({ params: { id: apiKey.id }, body })
      setMade({ key, hours: body.overlapHours })
    },
  })
  return (
    <Dialog
      title={made ? 'Clé renouvelée' : `Renouveler ${quoteKeyName(apiKey)}`}
      description={made ? undefined : 'Une autre clé prend sa place, avec les mêmes droits et les mêmes limites.'}
      width={made ? 'wide' : 'medium'}
      open
      onOpenChange={onClose}
    >
      {made ? (
        <ApiKeySecret secret={made.key} note={describeOverlap(made.hours)} onDone={onClose} />
      ) : (
        <form onSubmit={form.submit} noValidate className="grid gap-5">
          <FormErrors form={form} />
          <RadioGroup
            label={'Recouvrement\u00a0: combien de temps l’ancienne vaut encore'}
            options={OVERLAP_OPTIONS}
            {...form.register('overlapHours')}
          />
          <Field form={form} name="expiresOn" label="Dernier jour de la nouvelle clé" type="date" optional />
          <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
            Renouveler la clé
          </Button>
        </form>
      )}
    </Dialog>
  )
}

export function RevokeApiKeyConfirm({ apiKey, onClose }: Props) {
  const revoke = useAction(apiKeys.revoke, [apiKeys.list])
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Révoquer ${quoteKeyName(apiKey)}\u00a0?`}
      description="Le programme qui l’emploie sera refusé dès son prochain appel. Cette action est définitive."
      action="Révoquer la clé"
      onConfirm={async () => {
        await revoke.run({ params: { id: apiKey.id } })
        toast({ title: 'Clé révoquée', description: apiKey.name, variant: 'success' })
      }}
    />
  )
}
