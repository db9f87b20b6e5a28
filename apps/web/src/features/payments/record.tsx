import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { METHOD_WORDS } from '@voisol/contract/payment-words'
import { payments } from '@voisol/contract/payments'
import { useSchemaForm } from '../../lib/form.ts'
import { money } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { bodyOf, RecordForm } from './form.ts'
import { Proposal } from './proposal.tsx'

const METHODS = (['transfer', 'cheque', 'cash'] as const).map((value) => ({ value, label: METHOD_WORDS[value] }))
export type Start = { sellerId: string; buyerId: string; amount?: number; number?: string }

const startOf = (start: Start | undefined): RecordForm => ({
  pair: start ? `${start.sellerId} ${start.buyerId}` : '',
  amount: start?.amount ? String(start.amount / 100).replace('.', ',') : '',
  method: 'transfer',
  bookedOn: todayInParis(),
  accountId: '',
  note: '',
  references: start?.number ?? '',
})

/** What somebody saw come in; what it settles is shown before it is saved. */
export default function RecordPayment({ start, onClose }: { start?: Start; onClose: () => void }) {
  const { data } = useQuery(query(payments.choices, {}))
  const create = useAction(payments.create, [payments.list, payments.account, invoices.list, invoices.accounts])
  const form = useSchemaForm(RecordForm, {
    defaults: startOf(start),
    save: async (values) => {
      const made = await create.run({ body: bodyOf(values) })
      const rest = made.open > 0 ? `${money(made.open)} restent en avance.` : ''
      toast({ title: `${money(made.amount)} enregistrés`, description: rest, variant: 'success' })
      onClose()
    },
  })
  const pairs = data?.pairs.map(({ seller, buyer, open }) => ({
    value: `${seller.id} ${buyer.id}`,
    label: `${buyer.name} → ${seller.name}${open ? ` (${money(open)} dus)` : ''}`,
  }))
  const accounts = data?.accounts.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Enregistrer un paiement"
      description="Un virement, un chèque ou des espèces reçus. Il peut être annulé ensuite."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="pair" label="Qui a payé, et à quel vendeur">
          {(control) => (
            <Select
              {...control}
              options={[{ value: '', label: pairs ? 'Choisir…' : 'Chargement…' }, ...(pairs ?? [])]}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-3">
          <Field form={form} name="amount" label="Montant (€)" inputMode="decimal" autoComplete="off" />
          <Field form={form} name="method" label="Moyen">
            {(control) => <Select {...control} options={METHODS} />}
          </Field>
          <Field form={form} name="bookedOn" label="Reçu le" type="date" />
        </div>
        <Field
          form={form}
          name="references"
          label="Factures nommées"
          hint={'Leurs numéros, s’ils sont sur le virement\u00a0: elles sont réglées d’abord, puis les plus anciennes.'}
          optional
        />
        {accounts.length > 0 && (
          <Field form={form} name="accountId" label="Sur le compte" optional>
            {(control) => <Select {...control} options={[{ value: '', label: 'Non précisé' }, ...accounts]} />}
          </Field>
        )}
        <Field form={form} name="note" label="Note" placeholder="N° du chèque, libellé du virement" optional />
        <Proposal form={form} />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer le paiement
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
