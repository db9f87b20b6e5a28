import { useQuery } from '@tanstack/react-query'
import type { BalanceRow } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { type Column, Table } from '../../ui/table.tsx'

type TrialBalanceRow = BalanceRow & { id: string }
const formatAmount = (cents: number) => (cents === 0 ? '–' : formatMoney(cents))
const columns: Column<TrialBalanceRow>[] = [
  { header: 'Compte', card: 'title', cell: ({ account }) => <span className="tabular font-medium">{account}</span> },
  { header: 'Intitulé', card: 'secondary', cell: ({ label }) => label },
  { header: 'Débit', card: 'primary', align: 'end', cell: ({ debit }) => formatAmount(debit) },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => formatAmount(credit) },
  { header: 'Solde', card: 'primary', align: 'end', cell: ({ balance }) => <strong>{formatMoney(balance)}</strong> },
]

/** What each account came to in a year; both sides are the same. */
export function TrialBalance({ sellerId, year }: { sellerId: string; year: number }) {
  const { data } = useQuery(query(books.balance, { params: { sellerId }, query: { year } }))
  if (!data || data.items.length === 0) return null
  const total = {
    id: 'total',
    account: 'Total',
    label: '',
    debit: data.debit,
    credit: data.credit,
    balance: data.debit - data.credit,
  }
  const rows = data.items.map((row) => ({ ...row, id: row.account }))
  return (
    <div className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Balance de l’exercice {year}</h2>
      <Table label="Balance" rows={[...rows, total]} columns={columns} />
    </div>
  )
}
