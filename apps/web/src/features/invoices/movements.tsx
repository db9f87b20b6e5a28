import { useQuery } from '@tanstack/react-query'
import { INVOICE_KIND_LABELS, type InvoiceKind } from '@voisol/contract/money'
import {
  PAYMENT_KIND_LABELS,
  PAYMENT_METHOD_LABELS,
  type PaymentKind,
  type PaymentMethod,
} from '@voisol/contract/payment-words'
import { type AccountMovement, type BuyerAccount, payments } from '@voisol/contract/payments'
import { withAccess } from '../../lib/can.tsx'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Link } from '../../ui/link.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const getMethodLabel = (method: string) => PAYMENT_METHOD_LABELS[method as PaymentMethod] ?? '' // an answer of the contract
const describeMovement = ({ of, kind, method }: AccountMovement) =>
  of === 'invoice'
    ? INVOICE_KIND_LABELS[kind as InvoiceKind] // as above
    : kind === 'receipt'
      ? getMethodLabel(method)
      : PAYMENT_KIND_LABELS[kind as PaymentKind] // as above

const columns: Column<AccountMovement>[] = [
  {
    header: 'Mouvement',
    card: 'title',
    cell: (one) => (
      <span className="block py-1">
        {describeMovement(one)}{' '}
        {one.of === 'invoice' && (
          <Link to={`/invoice/${one.id}`} className="tabular text-link">
            {one.number}
          </Link>
        )}
      </span>
    ),
  },
  { header: 'Date', card: 'primary', cell: ({ bookedOn }) => formatDate(bookedOn) },
  {
    header: 'Débit',
    card: 'primary',
    align: 'end',
    cell: ({ side, amount }) => (side === 'debit' ? formatMoney(amount) : '–'),
  },
  {
    header: 'Crédit',
    card: 'primary',
    align: 'end',
    cell: ({ side, amount }) => (side === 'credit' ? formatMoney(amount) : '–'),
  },
  { header: 'Solde', card: 'primary', align: 'end', cell: ({ balance }) => <strong>{formatMoney(balance)}</strong> },
]

const describeBalance = ({ balance }: BuyerAccount) =>
  balance > 0
    ? `Doit ${formatMoney(balance)}.`
    : balance < 0
      ? `${formatMoney(-balance)} en sa faveur.`
      : 'Compte soldé.'

/** Documents and payments in the order of their days, one account for each seller. */
export const AccountMovements = withAccess(payments.account, ({ buyerId }: { buyerId: string }) => {
  const { data } = useQuery(query(payments.account, { params: { id: buyerId } }))
  return data?.accounts.map((account) => (
    <section key={account.seller.id} className="grid gap-3 [&>*]:min-w-0">
      <header>
        <h2 className="text-base font-semibold tracking-[-0.01em]">Compte avec {account.seller.name}</h2>
        <p className="mt-0.5 text-body text-ink-soft">{describeBalance(account)}</p>
      </header>
      <Table label={`Mouvements avec ${account.seller.name}`} rows={account.movements} columns={columns} />
    </section>
  ))
})
