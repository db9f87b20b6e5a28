import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { payments } from '@voisol/contract/payments'
import { type Control, useWatch } from 'react-hook-form'
import { explain } from '../../lib/explain.ts'
import { money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { type RecordForm, referencesOf, typedCents } from './form.ts'

/** What the payment would settle as it stands in the form; the server says it, by the rule that saves it. */
export function Proposal<O>({ form }: { form: { control: Control<RecordForm, unknown, O> } }) {
  const [pair, typed, named] = useWatch({ control: form.control, name: ['pair', 'amount', 'references'] })
  const amount = typedCents.safeParse(typed).data
  const [sellerId = '', buyerId = ''] = pair.split(' ')
  const references = referencesOf(named).join(',')
  const ready = Boolean(buyerId) && amount !== undefined
  const { data, error } = useQuery({
    ...query(payments.proposal, {
      query: { sellerId, buyerId, amount: amount ?? 1, ...(references && { references }) },
    }),
    enabled: ready,
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
      {!ready ? (
        <p className="mt-1 text-body text-ink-soft">Choisissez un compte et un montant.</p>
      ) : error ? (
        <p className="mt-1 text-body text-danger">{explain(error)}</p>
      ) : (
        data && (
          <dl className="mt-2 grid gap-1.5 text-body">
            {data.matched.map(({ invoiceId, number, amount: part }) => (
              <div key={invoiceId} className="flex justify-between gap-4">
                <dt className="tabular">{number}</dt>
                <dd className="tabular font-medium">{money(part)}</dd>
              </div>
            ))}
            {data.advance > 0 && (
              <div className="flex justify-between gap-4">
                <dt>Avance, déduite de la prochaine facture</dt>
                <dd className="tabular font-medium">{money(data.advance)}</dd>
              </div>
            )}
          </dl>
        )
      )}
    </section>
  )
}
