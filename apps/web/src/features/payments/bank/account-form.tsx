import { useQuery } from '@tanstack/react-query'
import { bank } from '@voisol/contract/bank'
import { type BankAccount, Ics, PainVersion } from '@voisol/contract/bank-accounts'
import { parties } from '@voisol/contract/parties'
import { Bic } from '@voisol/contract/party-numbers'
import { Text } from '@voisol/contract/primitives'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useCan } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const AccountForm = z.object({
  ownerId: z.string().min(1, 'Choisissez à qui appartient ce compte.'),
  name: Text,
  iban: z.string().max(60),
  bic: Bic,
  ics: Ics,
  painVersion: PainVersion,
  firstMarked: z.boolean(),
})
type AccountFormValues = z.output<typeof AccountForm>
const PAIN_VERSION_OPTIONS = [
  { value: '08', label: 'pain.008.001.08 (actuel)' },
  { value: '02', label: 'pain.008.001.02 (ancien)' },
]
type BankAccountFormProps = {
  defaults: z.input<typeof AccountForm>
  ibanHint: string
  save: (values: AccountFormValues) => Promise<unknown>
}

function BankAccountForm({ defaults, ibanHint, save, fixed }: BankAccountFormProps & { fixed: boolean }) {
  const form = useSchemaForm(AccountForm, { defaults, save })
  const readable = useCan()(parties.sellers) && !fixed
  const { data } = useQuery({ ...query(parties.sellers, {}), enabled: readable })
  const owners = data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      {!fixed && (
        <Field form={form} name="ownerId" label="Titulaire" hint="À qui appartient l’argent de ce compte.">
          {(control) => <Select {...control} options={[{ value: '', label: 'Choisir…' }, ...owners]} />}
        </Field>
      )}
      <Field form={form} name="name" label="Nom du compte" hint="Par exemple «&#160;Compte courant&#160;»." />
      <Field form={form} name="iban" label="IBAN" hint={ibanHint} autoComplete="off" optional={fixed} />
      <Field form={form} name="bic" label="BIC" autoComplete="off" optional />
      <Field
        form={form}
        name="ics"
        label="Identifiant créancier SEPA (ICS)"
        hint="Donné par la Banque de France, par exemple FR72 ZZZ 123456. Sans lui, rien n’est prélevé."
        autoComplete="off"
        optional
      />
      <Field form={form} name="painVersion" label="Format de prélèvement" hint="Celui que la banque accepte.">
        {(control) => <Select {...control} options={PAIN_VERSION_OPTIONS} />}
      </Field>
      <Checkbox
        {...form.register('firstMarked')}
        label="La banque demande de marquer le premier prélèvement (FRST)"
        hint="Sans cela, chaque prélèvement d’un mandat est présenté comme récurrent (RCUR)."
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le compte
      </Button>
    </form>
  )
}

const IBAN_NOTE = 'L’IBAN est chiffré\u00a0; seuls ses quatre derniers caractères restent visibles.'
const showSaved = () => toast({ title: 'Compte bancaire enregistré', variant: 'success' })

export function AddAccountDialog({ onClose }: { onClose: () => void }) {
  const add = useAction(bank.addAccount, [bank.accounts])
  const save = async (body: AccountFormValues) => {
    await add.run({ body })
    showSaved()
    onClose()
  }
  const defaults = {
    ownerId: '',
    name: 'Compte courant',
    iban: '',
    bic: '',
    ics: '',
    painVersion: '08' as const,
    firstMarked: false,
  }
  return (
    <Dialog title="Ajouter un compte bancaire" description={IBAN_NOTE} open onOpenChange={onClose}>
      <BankAccountForm defaults={defaults} ibanHint="Avec ou sans espaces." save={save} fixed={false} />
    </Dialog>
  )
}

export function EditAccountDialog({ account, onClose }: { account: BankAccount; onClose: () => void }) {
  const update = useAction(bank.updateAccount, [bank.accounts])
  const [{ id, version, ownerId, name, bic, ics, painVersion, firstMarked, ibanEnd }] = useState(account)
  const save = async ({ ownerId: _, iban, ...values }: AccountFormValues) => {
    await update.run({ params: { id }, body: { ...values, ...(iban.trim() && { iban }), version } })
    showSaved()
    onClose()
  }
  const hint = `Enregistré\u00a0: •••• ${ibanEnd}. Laissez vide pour le garder.`
  return (
    <Dialog title={`Modifier «\u00a0${name}\u00a0»`} description={IBAN_NOTE} open onOpenChange={onClose}>
      <BankAccountForm
        defaults={{ ownerId, name, iban: '', bic, ics, painVersion, firstMarked }}
        ibanHint={hint}
        save={save}
        fixed
      />
    </Dialog>
  )
}
