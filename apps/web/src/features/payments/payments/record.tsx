import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { PAYMENT_METHOD_LABELS } from '@voisol/contract/payment-labels'
import { payments } from '@voisol/contract/payments'
import { type Control, useWatch } from 'react-hook-form'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { centsInputSchema, parseReferences, RecordPaymentForm, toPaymentBody } from './payment-form.ts'

const METHOD_OPTIONS = (['transfer', 'cheque', 'cash'] as const).map((value) => ({
  value,
  label: PAYMENT_METHOD_LABELS[value],
}))
type InitialPayment = { sellerId: string; buyerId: string; amount?: number; number?: string }

const toInitialForm = (start: InitialPayment | undefined): RecordPaymentForm => ({
  pair: start ? `${start.sellerId} ${start.buyerId}` : '',
  amount: start?.amount ? String(start.amount / 100).replace('.', ',') : '',
  method: 'transfer',
  bookedOn: getTodayInParis(),
  accountId: '',
  note: '',
  references: start?.number ?? '',
})

/** What somebody saw come in; what it settles is shown before it is saved. */
export default function RecordPaymentDialog({ start, onClose }: { start?: InitialPayment; onClose: () => void }) {
  const { data } = useQuery(query(payments.choices, {}))
  const create = useAction(payments.create, [payments.list, payments.account, invoices.list, invoices.accounts])
  const form = useSchemaForm(RecordPaymentForm, {
    defaults: toInitialForm(start),
    save: async (values) => {
      const recorded = await create.run({ body: toPaymentBody(values) })
      const rest = recorded.open > 0 ? `${formatMoney(recorded.open)} restent en avance.` : ''
      toast({ title: `${formatMoney(recorded.amount)} enregistrés`, description: rest, variant: 'success' })
      onClose()
    },
  })
  const pairs = data?.pairs.map(({ seller, buyer, open }) => ({
    value: `${seller.id} ${buyer.id}`,
    label: `${buyer.name} → ${seller.name}${open ? ` (${formatMoney(open)} dus)` : ''}`,
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
            {(control) => <Select {...control} options={METHOD_OPTIONS} />}
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
        <SettlementProposal form={form} />
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer le paiement
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** What the payment would settle as it stands in the form; the server says it, by the rule that saves it. */
function SettlementProposal<O>({ form }: { form: { control: Control<RecordPaymentForm, unknown, O> } }) {
  const [pair, typedAmount, typedReferences] = useWatch({
    control: form.control,
    name: ['pair', 'amount', 'references'],
  })
  const amount = centsInputSchema.safeParse(typedAmount).data
  const [sellerId = '', buyerId = ''] = pair.split(' ')
  const references = parseReferences(typedReferences).join(',')
  const isComplete = Boolean(buyerId) && amount !== undefined
  const { data, error } = useQuery({
    ...query(payments.proposal, {
      query: { sellerId, buyerId, amount: amount ?? 1, ...(references && { references }) },
    }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <section
      aria-live="polite"
      aria-label="Ce que ce paiement règle"
      className="rounded-card border border-line bg-page p-4"
    >
      <h3 className="text-body font-medium">Ce que ce paiement règle</h3>
      {!isComplete ? (
        <p className="mt-1 text-body text-ink-soft">Choisissez un compte et un montant.</p>
      ) : error ? (
        <p className="mt-1 text-body text-danger">{explainError(error)}</p>
      ) : (
        data && (
          <dl className="mt-2 grid gap-1.5 text-body">
            {data.matched.map(({ invoiceId, number, amount: part }) => (
              <div key={invoiceId} className="flex justify-between gap-4">
                <dt className="tabular">{number}</dt>
                <dd className="tabular font-medium">{formatMoney(part)}</dd>
              </div>
            ))}
            {data.advance > 0 && (
              <div className="flex justify-between gap-4">
                <dt>Avance, déduite de la prochaine facture</dt>
                <dd className="tabular font-medium">{formatMoney(data.advance)}</dd>
              </div>
            )}
          </dl>
        )
      )}
    </section>
  )
}
