import { useQuery } from '@tanstack/react-query'
import { type InvoiceKind, KIND_WORDS } from '@voisol/contract/money'
import { METHOD_WORDS, PAYMENT_WORDS, type PaymentKind, type PaymentMethod } from '@voisol/contract/payment-words'
import { type BuyerAccount, type Movement, payments } from '@voisol/contract/payments'
import { only } from '../../lib/can.tsx'
import { date, money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Link } from '../../ui/link.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const methodWords = (method: string) => METHOD_WORDS[method as PaymentMethod] ?? '' // an answer of the contract
const wordsOf = ({ of, kind, method }: Movement) =>
  of === 'invoice'
    ? KIND_WORDS[kind as InvoiceKind] // as above
    : kind === 'receipt'
      ? methodWords(method)
      : PAYMENT_WORDS[kind as PaymentKind] // as above

const columns: Column<Movement>[] = [
  {
    header: 'Mouvement',
    card: 'title',
    cell: (one) => (
      <span className="block py-1">
        {wordsOf(one)}{' '}
        {one.of === 'invoice' && (
          <Link to={`/invoice/${one.id}`} className="tabular text-link">
            {one.number}
          </Link>
        )}
      </span>
    ),
  },
  { header: 'Date', card: 'primary', cell: ({ bookedOn }) => date(bookedOn) },
  {
    header: 'Débit',
    card: 'primary',
    align: 'end',
    cell: ({ side, amount }) => (side === 'debit' ? money(amount) : '–'),
  },
  {
    header: 'Crédit',
    card: 'primary',
    align: 'end',
    cell: ({ side, amount }) => (side === 'credit' ? money(amount) : '–'),
  },
  { header: 'Solde', card: 'primary', align: 'end', cell: ({ balance }) => <strong>{money(balance)}</strong> },
]

const balanceWords = ({ balance }: BuyerAccount) =>
  balance > 0 ? `Doit ${money(balance)}.` : balance < 0 ? `${money(-balance)} en sa faveur.` : 'Compte soldé.'

/** Documents and payments in the order of their days, one account for each seller. */
export const Movements = only(payments.account, ({ buyerId }: { buyerId: string }) => {
  const { data } = useQuery(query(payments.account, { params: { id: buyerId } }))
  return data?.accounts.map((account) => (
    <section key={account.seller.id} className="grid gap-3 [&>*]:min-w-0">
      <header>
        <h2 className="text-base font-semibold tracking-[-0.01em]">Compte avec {account.seller.name}</h2>
        <p className="mt-0.5 text-body text-ink-soft">{balanceWords(account)}</p>
      </header>
      <Table label={`Mouvements avec ${account.seller.name}`} rows={account.movements} columns={columns} />
    </section>
  ))
})
