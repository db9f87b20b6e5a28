import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { payments } from '@voisol/contract/payments'
import { type Control, useWatch } from 'react-hook-form'
import { explainError } from '../../lib/explain.ts'
import { formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { centsInputSchema, parseReferences, type RecordPaymentForm } from './form.ts'

/** What the payment would settle as it stands in the form; the server says it, by the rule that saves it. */
export function SettlementProposal<O>({ form }: { form: { control: Control<RecordPaymentForm, unknown, O> } }) {
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
