import { useQuery } from '@tanstack/react-query'
import { type BankStatement, bank } from '@voisol/contract/bank'
import type { BankAccount } from '@voisol/contract/bank-accounts'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatCount, formatDate, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const VISIBLE_STATEMENTS = 6
const formatAmount = (cents: number | null) => (cents === null ? 'non dit' : formatMoney(cents))
const formatStatementDays = ({ from, to, at }: BankStatement) =>
  from && to && from !== to
    ? `du ${formatDate(from)} au ${formatDate(to)}`
    : `du ${formatDate(to ?? from ?? at.slice(0, 10))}`

const buildColumns = (names: Map<string, string>): Column<BankStatement>[] => [
  {
    header: 'Relevé',
    card: 'title',
    cell: (statement) => (
      <span className="block min-w-48 py-1">
        <span className="font-medium">Relevé {formatStatementDays(statement)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{names.get(statement.accountId)}</span>
        {statement.gap && (
          <span className="mt-1 block max-w-prose text-[0.8125rem]">
            <Badge tone="warning">Écart</Badge> {statement.gap}
          </span>
        )}
      </span>
    ),
  },
  { header: 'Solde au début', card: 'primary', align: 'end', cell: ({ opening }) => formatAmount(opening) },
  { header: 'Solde à la fin', card: 'primary', align: 'end', cell: ({ closing }) => formatAmount(closing) },
  { header: 'Mouvements', card: 'primary', align: 'end', cell: ({ lines }) => lines },
  {
    header: 'Importé',
    cell: ({ at, by }) => (
      <span className="block py-1 whitespace-nowrap">
        le {formatDate(at.slice(0, 10))}
        <span className="block text-[0.8125rem] text-ink-soft">{by}</span>
      </span>
    ),
  },
]

/** The statements that were taken, each with what is missing before it. */
export default function Statements({ accounts }: { accounts: BankAccount[] }) {
  const { data, error, refetch } = useQuery(query(bank.statements, {}))
  const [all, setAll] = useState(false)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Relevés importés" />
  if (data.items.length === 0) return null
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Relevés importés</h2>
      <Table
        label="Relevés importés"
        rows={all ? data.items : data.items.slice(0, VISIBLE_STATEMENTS)}
        columns={buildColumns(names)}
      />
      {!all && data.items.length > VISIBLE_STATEMENTS && (
        <Button variant="quiet" size="small" className="justify-self-start" onClick={() => setAll(true)}>
          Afficher {formatCount(data.items.length - VISIBLE_STATEMENTS, 'relevé plus ancien', 'relevés plus anciens')}
        </Button>
      )}
    </div>
  )
}
