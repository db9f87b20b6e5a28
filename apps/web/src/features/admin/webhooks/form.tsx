import { useQuery } from '@tanstack/react-query'
import { type Webhook, WebhookChange, webhooks } from '@voisol/contract/webhooks'
import { useState } from 'react'
import { type FieldError, get } from 'react-hook-form'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type WebhookEvents = Webhook['events']

function EventCheckboxes({ value, onChange }: { value: WebhookEvents; onChange: (next: WebhookEvents) => void }) {
  const { data } = useQuery(query(webhooks.catalogue, {}))
  if (!data) return <Skeleton className="h-40 w-full" />
  return (
    <fieldset className="gap-x-8 sm:columns-2 [&>*]:mb-2.5 [&>*]:break-inside-avoid">
      <legend className="mb-2 text-body font-medium">Événements</legend>
      {data.items.map(({ id, label }) => (
        <Checkbox
          key={id}
          label={label}
          hint={id}
          checked={value.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...value, id] : value.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  )
}

/** The one time the secret is seen. */
const NewSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <div className="grid gap-5 [&>*]:min-w-0">
    <p role="status" className="rounded-card bg-warning-soft p-4 text-body text-warning">
      Copiez ce secret maintenant&nbsp;: il ne sera plus montré. Votre serveur en a besoin pour reconnaître nos envois.
    </p>
    <CodePanel label="Secret de signature" code={secret} language="text" copy="Copier le secret" />
    <Button className="justify-self-end" onClick={onDone}>
      J’ai copié le secret
    </Button>
  </div>
)

function useSaveWebhook(webhook: Webhook | undefined, onMade: (secret: string) => void, onClose: () => void) {
  const create = useAction(webhooks.create, [webhooks.list])
  const update = useAction(webhooks.update, [webhooks.list])
  return async (body: { url: string; events: WebhookEvents }) => {
    if (!webhook) return onMade((await create.run({ body })).secret)
    await update.run({ params: { id: webhook.id }, body })
    toast({ title: 'Webhook enregistré', variant: 'success' })
    onClose()
  }
}

type Props = { webhook?: Webhook; onClose: () => void }

function WebhookForm({ webhook, onMade, onClose }: Props & { onMade: (secret: string) => void }) {
  const save = useSaveWebhook(webhook, onMade, onClose)
  const form = useSchemaForm(WebhookChange, {
    defaults: { url: webhook?.url ?? '', events: webhook?.events ?? [] },
    save,
  })
  const problem: FieldError | undefined = get(form.formState.errors, 'events')
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field
        form={form}
        name="url"
        label="Adresse"
        type="url"
        placeholder="https://exemple.fr/voisol"
        hint="En https, joignable depuis internet."
      />
      <EventCheckboxes
        value={form.watch('events')}
        onChange={(events) =>
          form.setValue('events', events, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
        }
      />
      {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        {webhook ? 'Enregistrer le webhook' : 'Créer le webhook'}
      </Button>
    </form>
  )
}

export default function WebhookDialog({ webhook, onClose }: Props) {
  const [secret, setSecret] = useState('')
  return (
    <Dialog
      title={secret ? 'Webhook créé' : webhook ? 'Modifier le webhook' : 'Créer un webhook'}
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {secret ? (
        <NewSecret secret={secret} onDone={onClose} />
      ) : (
        <WebhookForm webhook={webhook} onMade={setSecret} onClose={onClose} />
      )}
    </Dialog>
  )
}

const OVERLAP_OPTIONS = [
  { value: '0', label: 'Aucun', hint: 'L’ancien secret ne signe plus rien.' },
  { value: '24', label: 'Un jour' },
  { value: '168', label: 'Sept jours' },
]

export function RotateSecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [secret, setSecret] = useState('')
  const [hours, setHours] = useState('24')
  const rotate = useAction(webhooks.rotate, [webhooks.list])
  const rotateSecret = async () => {
    const rotated = await rotate.run({ params: { id: webhook.id }, body: { overlapHours: Number(hours) } })
    setSecret(rotated.secret)
  }
  return (
    <Dialog
      title={secret ? 'Secret renouvelé' : 'Renouveler le secret'}
      description={secret ? undefined : 'Pendant le recouvrement, chaque envoi porte les deux signatures.'}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {secret ? (
        <NewSecret secret={secret} onDone={onClose} />
      ) : (
        <div className="grid gap-5">
          <RadioGroup
            label="Recouvrement"
            options={OVERLAP_OPTIONS}
            value={hours}
            onChange={({ target }) => setHours(target.value)}
          />
          <Button className="justify-self-end" loading={rotate.isPending} onClick={() => void rotateSecret()}>
            Renouveler le secret
          </Button>
        </div>
      )}
    </Dialog>
  )
}
