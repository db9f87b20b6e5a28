import { useQuery } from '@tanstack/react-query'
import type { InvoiceKind } from '@voisol/contract/money'
import { payments, type SettlingItem } from '@voisol/contract/payments'
import { Card } from '../../../components/card.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { cx } from '../../../components/cx.ts'
import { Skeleton } from '../../../components/loading.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatDate, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const SettlementRow = ({ label, bookedOn, amount, undone }: SettlingItem) => (
  <li className="flex items-baseline justify-between gap-4">
    <span className="min-w-0">
      {label}
      <span className="block text-[0.8125rem] text-ink-soft">
        {formatDate(bookedOn)}
        {undone && ', repris depuis'}
      </span>
    </span>
    <span className={cx('tabular font-medium', undone && 'text-ink-soft line-through')}>{formatMoney(amount)}</span>
  </li>
)

const formatIban = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1\u00a0')

type HowToPayProps = { holder: string; iban: string; bic: string; reference: string; amount: number }

/** All that a transfer asks for, as it is typed at a bank. */
const HowToPay = ({ holder, iban, bic, reference, amount }: HowToPayProps) => (
  <div className="grid gap-3 border-t border-line pt-4 text-body">
    <dl className="grid gap-2">
      {[
        ['À virer', formatMoney(amount)],
        ['Au nom de', holder],
        ['IBAN', formatIban(iban)],
        ['BIC', bic],
        ['Référence à rappeler', reference],
      ].map(
        ([label, value]) =>
          value && (
            <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <dt className="text-ink-soft">{label}</dt>
              <dd className="tabular font-medium break-all">{value}</dd>
            </div>
          ),
      )}
    </dl>
    <div className="flex flex-wrap gap-2">
      <CopyButton text={iban} label="Copier l’IBAN" />
      <CopyButton text={reference} label="Copier la référence" />
    </div>
  </div>
)

type PaidProps = { id: string; kind: InvoiceKind; own?: boolean }

/** A credit note is not paid: it is taken off what is owed. */
function describeRemaining(open: number, credit: boolean): string {
  if (credit) return open > 0 ? `${formatMoney(open)} restent à déduire.` : 'Ce crédit est entièrement déduit.'
  return open > 0 ? `${formatMoney(open)} restent à régler.` : 'Ce document est réglé en entier.'
}

/** What settled a document, and how what is left of it is paid. */
export const InvoicePayments = withAccess(payments.ofInvoice, ({ id, kind, own = false }: PaidProps) => {
  const { data } = useQuery(query(payments.ofInvoice, { params: { id } }))
  if (!data) return <Skeleton className="h-32 w-full" />
  const { closings, howToPay, open } = data
  if (closings.length === 0 && !howToPay) return null
  const credit = kind === 'creditNote'
  const title = credit ? 'Déduit de' : !own ? 'Règlements' : howToPay ? 'Payer par virement' : 'Vos paiements'
  return (
    <Card title={title} description={describeRemaining(open, credit)}>
      <div className="grid gap-4">
        {closings.length > 0 && (
          <ul className="grid gap-2 text-body">
            {closings.map((closing) => (
              <SettlementRow key={`${closing.id} ${closing.amount} ${closing.undone}`} {...closing} />
            ))}
          </ul>
        )}
        {howToPay && <HowToPay {...howToPay} />}
      </div>
    </Card>
  )
})
