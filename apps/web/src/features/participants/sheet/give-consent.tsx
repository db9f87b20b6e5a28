import { ConsentDraft, consents } from '@voisol/contract/consents'
import { withDe } from '@voisol/contract/elision'
import type { Endpoint, EndpointReply } from '@voisol/contract/endpoint'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { getLatestConsentExpiry } from '../../../lib/consents.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { Select } from '../../../ui/select.tsx'

export type ConsentText = EndpointReply<typeof consents.list>['texts'][number]
type Props = { text: ConsentText; participant: ParticipantDetail; touched: Endpoint[]; onClose: () => void }

const METHOD_OPTIONS = [
  { value: 'paper', label: 'Document signé sur papier' },
  { value: 'import', label: 'Fichier d’un autre outil' },
]

function GiveConsentForm({ text, participant, touched, onClose }: Props) {
  const give = useAction(consents.give, touched)
  const today = getTodayInParis()
  const form = useSchemaForm(ConsentDraft, {
    defaults: {
      purpose: text.purpose,
      textVersion: text.version,
      method: 'paper',
      givenOn: today,
      expiresOn: getLatestConsentExpiry(today),
    },
    save: async (body) => {
      await give.run({ params: { id: participant.id }, body })
      toast({ title: 'Consentement enregistré', description: text.title, variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <blockquote className="rounded-control border border-line bg-page p-4 text-body text-ink-soft">
        {text.text}
        <footer className="mt-2 text-[0.8125rem]">Texte {text.version}</footer>
      </blockquote>
      <Field
        form={form}
        name="method"
        label="Recueilli par"
        hint="Sur le portail, la personne donne son accord elle-même."
      >
        {(control) => <Select {...control} options={METHOD_OPTIONS} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="givenOn" label="Donné le" type="date" />
        <Field form={form} name="expiresOn" label="Valable jusqu’au" type="date" />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le consentement
      </Button>
    </form>
  )
}

export const GiveConsentDialog = (props: Props) => (
  <Dialog
    title={props.text.title}
    description={`Consentement ${withDe(props.participant.name)}`}
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <GiveConsentForm {...props} />
  </Dialog>
)
