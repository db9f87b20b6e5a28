import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { formatMoney } from '../../../lib/format.ts'
import { formatInvoiceHeadline, formatInvoicePeriodWithDe } from '../../../lib/invoice-words.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'

/** The last document in one sentence, as the screen of invoices says it; nothing before the first one. */
export function LastInvoice() {
  const { data } = useQuery(query(invoices.list, { query: { size: 1 } }))
  const last = data?.items[0]
  if (!data || !last) return null
  const others = data.totals.open - (last.state === 'due' || last.state === 'overdue' ? last.open : 0)
  return (
    <Card
      title="Ma dernière facture"
      description={`${INVOICE_KIND_LABELS[last.kind]} ${formatInvoicePeriodWithDe(last)}, par ${last.seller.name}.`}
    >
      <p className="text-xl font-semibold tracking-[-0.01em]">{formatInvoiceHeadline(last)}</p>
      {others > 0 && (
        <p className="mt-1 text-ink-soft">Avec les précédentes, il vous reste {formatMoney(data.totals.open)}.</p>
      )}
      <ButtonLink
        to={`/client-portal/invoices?facture=${last.id}`}
        variant="secondary"
        size="large"
        className="mt-4 w-full sm:w-auto"
      >
        Voir ma facture
      </ButtonLink>
    </Card>
  )
}
