import { parties } from '@voisol/contract/parties'
import { Bic } from '@voisol/contract/party-numbers'
import type { Seller } from '@voisol/contract/sellers'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'

type Props = { seller: Seller }
const BankForm = z.object({ iban: z.string().max(60), forget: z.boolean(), bic: Bic })
const formatMaskedIban = (end: string) => `•••• ${end}`
/** An empty field leaves the account as it is; to remove it is said aloud. */
const toIbanChange = ({ iban, forget }: z.output<typeof BankForm>) =>
  forget ? { iban: '' } : iban.trim() ? { iban } : {}

function BankEditForm({ seller, onDone }: Props & { onDone: () => void }) {
  const save = useAction(parties.sellerBank, [parties.sellers])
  const [{ id, version, ibanEnd, bic }] = useState(seller)
  const form = useSchemaForm(BankForm, {
    defaults: { iban: '', forget: false, bic },
    save: async (value) => {
      await save.run({ params: { id }, body: { ...toIbanChange(value), bic: value.bic, version } })
      toast({ title: 'Compte bancaire enregistré', variant: 'success' })
      onDone()
    },
  })
  const hint = ibanEnd
    ? `Enregistré\u00a0: ${formatMaskedIban(ibanEnd)}. Laissez vide pour le garder.`
    : 'Avec ou sans espaces.'
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="iban" label="IBAN" hint={hint} autoComplete="off" optional />
      {ibanEnd && <Checkbox label="Supprimer l’IBAN enregistré" {...form.register('forget')} />}
      <Field form={form} name="bic" label="BIC" autoComplete="off" optional />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le compte
      </Button>
    </form>
  )
}

const EditBankButton = withAccess(parties.sellerBank, ({ seller }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Compte bancaire du vendeur"
      description="L’IBAN est chiffré&#160;; ses factures l’impriment, aucun écran ne le montre."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label="Modifier le compte bancaire">
          Modifier
        </Button>
      }
    >
      <BankEditForm seller={seller} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

export const BankCard = ({ seller }: Props) => (
  <Card title="Compte bancaire" actions={<EditBankButton seller={seller} />}>
    <FactList
      facts={[
        {
          label: 'IBAN',
          value: seller.ibanEnd ? (
            <span className="tabular">{formatMaskedIban(seller.ibanEnd)}</span>
          ) : (
            <span className="font-normal text-ink-muted">Non renseigné</span>
          ),
        },
        { label: 'BIC', value: seller.bic || <span className="font-normal text-ink-muted">Non renseigné</span> },
      ]}
    />
  </Card>
)
