import {
  NewSending,
  REGULATORY_LABELS,
  type RegulatoryExport,
  regulatory,
  SENDING_CHANNEL_LABELS,
} from '@voisol/contract/regulatory'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type Props = { version: RegulatoryExport; onClose: () => void }

function SendingForm({ version, onClose }: Props) {
  const send = useAction(regulatory.send, [regulatory.list, regulatory.duties])
  const form = useSchemaForm(NewSending, {
    defaults: { sentOn: getTodayInParis(), to: 'Enedis', channel: 'mail', note: '' },
    save: async (body) => {
      await send.run({ params: { id: version.id }, body })
      toast({ title: 'Envoi noté', variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="sentOn" label="Envoyé le" type="date" />
        <Field form={form} name="channel" label="Moyen">
          {(control) => (
            <Select
              {...control}
              options={Object.entries(SENDING_CHANNEL_LABELS).map(([value, label]) => ({ value, label }))}
            />
          )}
        </Field>
      </div>
      <Field form={form} name="to" label="Destinataire" />
      <Field form={form} name="note" label="Remarque" hint="Référence de dépôt, accusé de réception…" optional />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Noter cet envoi
      </Button>
    </form>
  )
}

export default function SendingDialog(props: Props) {
  const { kind, number } = props.version
  return (
    <Dialog
      title="Noter un envoi"
      description={`${REGULATORY_LABELS[kind].title}, version ${number}. Ce qui est noté reste.`}
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <SendingForm {...props} />
    </Dialog>
  )
}
