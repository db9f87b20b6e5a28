import { useQuery } from '@tanstack/react-query'
import type { OperationTerms } from '@voisol/contract/buyers'
import { operations } from '@voisol/contract/operations'
import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatPrice } from '../../../lib/price.ts'
import { query } from '../../../lib/queries.ts'

const TermsDialog = lazy(() => import('./terms-form.tsx'))

function describeTerms(terms: OperationTerms, sellers: Seller[]): string[] {
  const { patrimonial, monthsPerInvoice, organiserId, supplierPrice, surplusPrice } = terms
  const organiser = sellers.find(({ id }) => id === organiserId)?.name
  return [
    patrimonial ? 'Patrimoniale\u00a0: un relevé, pas de facture' : 'Vente entre voisins',
    monthsPerInvoice === 1 ? 'une facture par mois' : `une facture tous les ${monthsPerInvoice} mois`,
    organiser ? `frais facturés par ${organiser}` : '',
    supplierPrice === null ? '' : `fournisseur ${formatPrice(supplierPrice)}`,
    surplusPrice === null ? '' : `surplus ${formatPrice(surplusPrice)}`,
  ].filter(Boolean)
}

function OperationTermsRow({ id, name, sellers }: { id: string; name: string; sellers: Seller[] }) {
  const { data } = useQuery(query(parties.terms, { params: { id } }))
  const [open, setOpen] = useState(false)
  const can = useCan()
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3 text-body">
      <span className="min-w-0 flex-1 basis-64">
        <span className="block font-medium">{name}</span>
        {data ? (
          <span className="tabular block text-[0.8125rem] text-ink-soft">
            {describeTerms(data, sellers).join(' · ')}
          </span>
        ) : (
          <Skeleton className="h-5 w-64" />
        )}
      </span>
      {data && can(parties.saveTerms) && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Modifier les conditions de ${name}`}
          onClick={() => setOpen(true)}
        >
          Modifier
        </Button>
      )}
      <Suspense fallback={null}>
        {open && data && (
          <TermsDialog operationId={id} name={name} terms={data} sellers={sellers} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </li>
  )
}

/** How each operation is billed. */
const TermList = withAccess(operations.list, ({ sellers }: { sellers: Seller[] }) => {
  const { data } = useQuery(query(operations.list, { query: { size: 100 } }))
  if (!data) return <Skeleton className="h-48 w-full" />
  if (data.items.length === 0) return null
  return (
    <section aria-labelledby="terms" className="grid gap-3">
      <div>
        <h2 id="terms" className="text-base font-semibold tracking-[-0.01em]">
          Conditions par opération
        </h2>
        <p className="prose-width text-body text-ink-soft">
          Le rythme des factures, qui facture les frais, et les prix à côté desquels un tarif est regardé.
        </p>
      </div>
      <ul className={cx(cardClass, 'divide-y divide-line')}>
        {data.items.map(({ id, name }) => (
          <OperationTermsRow key={id} id={id} name={name} sellers={sellers} />
        ))}
      </ul>
    </section>
  )
})
export default TermList
