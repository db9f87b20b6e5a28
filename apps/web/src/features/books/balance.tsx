import { useQuery } from '@tanstack/react-query'
import type { BalanceRow } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { type Column, Table } from '../../ui/table.tsx'

type Row = BalanceRow & { id: string }
const amount = (cents: number) => (cents === 0 ? '–' : money(cents))
const columns: Column<Row>[] = [
  { header: 'Compte', card: 'title', cell: ({ account }) => <span className="tabular font-medium">{account}</span> },
  { header: 'Intitulé', card: 'secondary', cell: ({ label }) => label },
  { header: 'Débit', card: 'primary', align: 'end', cell: ({ debit }) => amount(debit) },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => amount(credit) },
  { header: 'Solde', card: 'primary', align: 'end', cell: ({ balance }) => <strong>{money(balance)}</strong> },
]

/** What each account came to in a year; both sides are the same. */
export function Balance({ sellerId, year }: { sellerId: string; year: number }) {
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
