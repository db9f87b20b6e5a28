import type { EndpointReply } from '@voisol/contract/endpoint'
import { MandateKind, mandates } from '@voisol/contract/mandates'
import { Bic } from '@voisol/contract/party-numbers'
import { Day, OptionalText, Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { AccountFields } from './bank-account-fields.tsx'

const AddForm = z.object({
  creditorId: z.string().min(1, 'Choisissez le vendeur à qui le mandat est donné.'),
  participantId: z.string().min(1, 'Choisissez qui donne le mandat.'),
  holder: Text,
  iban: z.string().min(1).max(60),
  bic: Bic,
  rum: OptionalText,
  kind: MandateKind,
  signedOn: Day,
})
const KIND_OPTIONS = [
  { value: 'recurrent', label: 'Récurrent' },
  { value: 'oneOff', label: 'Ponctuel, un seul débit' },
]
const EMPTY_OPTION = { value: '', label: 'Choisir…' }
type AddProps = { choices: EndpointReply<typeof mandates.list>; onClose: () => void }

/** A mandate that was signed on paper; its scan is joined once it is there. */
export default function AddMandateDialog({ choices, onClose }: AddProps) {
  const add = useAction(mandates.add, [mandates.list])
  const creditors = choices.creditors.map(({ id, name }) => ({ value: id, label: name }))
  const people = choices.people.map(({ id, name }) => ({ value: id, label: name }))
  const form = useSchemaForm(AddForm, {
    defaults: {
      creditorId: creditors.length === 1 ? (creditors[0]?.value ?? '') : '',
      participantId: '',
      holder: '',
      iban: '',
      bic: '',
      rum: '',
      kind: 'recurrent',
      signedOn: getTodayInParis(),
    },
    save: async ({ rum, ...values }) => {
      const { rum: savedRum } = await add.run({ body: { ...values, ...(rum && { rum }) } })
      toast({ title: `Mandat ${savedRum} enregistré`, variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      title="Enregistrer un mandat signé sur papier"
      description="L’IBAN est chiffré&#160;; seuls ses quatre derniers caractères restent visibles."
      open
      onOpenChange={onClose}
    >
      {creditors.length === 0 ? (
        <p className="text-body">
          Aucun vendeur n’a de compte avec un identifiant créancier (ICS)&#160;: enregistrez-le d’abord dans
          «&#160;Tarifs et réglages&#160;», rubrique «&#160;Comptes bancaires&#160;».
        </p>
      ) : (
        <form onSubmit={form.submit} noValidate className="grid gap-4">
          <FormErrors form={form} />
          <Field form={form} name="participantId" label="Débiteur">
            {(control) => <Select {...control} options={[EMPTY_OPTION, ...people]} />}
          </Field>
          <Field form={form} name="creditorId" label="Créancier">
            {(control) => <Select {...control} options={[EMPTY_OPTION, ...creditors]} />}
          </Field>
          <AccountFields form={form} />
          <Field form={form} name="signedOn" label="Signé le" type="date" />
          <Field
            form={form}
            name="rum"
            label="Référence unique du mandat (RUM)"
            hint="Celle du papier&#160;; sans elle, une référence est choisie."
            autoComplete="off"
            optional
          />
          <Field form={form} name="kind" label="Type">
            {(control) => <Select {...control} options={KIND_OPTIONS} />}
          </Field>
          <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
            Enregistrer le mandat
          </Button>
        </form>
      )}
    </Dialog>
  )
}
