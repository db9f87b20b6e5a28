import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { Facts, Section } from './section.tsx'
import { useRefreshOnError } from './use-refresh.ts'

const BankForm = z.object({
  iban: z.string().max(60),
  forget: z.boolean(),
})
const formatMaskedIban = (end: string) => (end ? `•••• ${end}` : '')
/** An empty field leaves the account as it is; to remove it is said aloud. */
const toIbanChange = ({ iban, forget }: z.output<typeof BankForm>) =>
  forget ? { iban: '' } : iban.trim() ? { iban } : {}

function BankEditForm({ participant, onDone }: { participant: ParticipantDetail; onDone: () => void }) {
  const [{ id, version, bank }] = useState(participant)
  const save = useAction(participants.bank, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  const form = useSchemaForm(BankForm, {
    defaults: { iban: '', forget: false },
    save: async (value) => {
      const body = { ...toIbanChange(value), version }
      await save.run({ params: { id }, body }).catch(refresh)
      toast({ title: 'Compte bancaire enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field
        form={form}
        name="iban"
        label="IBAN"
        hint={
          bank.ibanEnd
            ? `Enregistré\u00a0: ${formatMaskedIban(bank.ibanEnd)}. Laissez vide pour le garder.`
            : 'Avec ou sans espaces.'
        }
        autoComplete="off"
        optional
      />
      {bank.ibanEnd && <Checkbox label="Supprimer l’IBAN enregistré" {...form.register('forget')} />}
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le compte
      </Button>
    </form>
  )
}

const EditBankButton = withAccess(participants.bank, ({ participant }: { participant: ParticipantDetail }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Compte bancaire"
      description="L’IBAN est chiffré&#160;; seuls ses quatre derniers caractères restent visibles."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label="Modifier le compte bancaire">
          Modifier
        </Button>
      }
    >
      <BankEditForm participant={participant} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

export function BankSection({ participant }: { participant: ParticipantDetail }) {
  const { ibanEnd } = participant.bank
  return (
    <Section title="Compte bancaire" actions={<EditBankButton participant={participant} />}>
      <Facts
        facts={[{ label: 'IBAN', value: ibanEnd && <span className="tabular">{formatMaskedIban(ibanEnd)}</span> }]}
      />
    </Section>
  )
}
