import { useQuery } from '@tanstack/react-query'
import { SHADOW_CAUSE_LABELS, type ShadowRow, takeovers } from '@voisol/contract/takeovers'
import { useState } from 'react'
import { formatCount, formatEnergy, formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { Select } from '../../ui/select.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'

const renderAmounts = (amounts: { wh: number | null; gross: number } | null) =>
  amounts ? (
    <span className="block">
      <span className="block">{formatMoney(amounts.gross)}</span>
      <span className="block text-[0.8125rem] text-ink-soft">
        {amounts.wh === null ? 'énergie non dite' : formatEnergy(amounts.wh)}
      </span>
    </span>
  ) : (
    '—'
  )

const columns: Column<ShadowRow & { id: string }>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{buyer.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{seller.name}</span>
      </span>
    ),
  },
  { header: 'Facturé ailleurs', card: 'primary', align: 'end', cell: ({ theirs }) => renderAmounts(theirs) },
  { header: 'Notre calcul', card: 'primary', align: 'end', cell: ({ ours }) => renderAmounts(ours) },
  { header: 'Écart TTC', card: 'primary', align: 'end', cell: ({ difference }) => formatMoney(difference) },
  {
    header: 'Constat',
    card: 'primary',
    cell: ({ cause }) => <Badge tone={cause === 'none' ? 'success' : 'warning'}>{SHADOW_CAUSE_LABELS[cause]}</Badge>,
  },
]

function ComparisonRows({ operationId, month }: { operationId: string; month: string }) {
  const { data, error, refetch } = useQuery(query(takeovers.shadow, { query: { operationId, month } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Comparaison" />
  const { totals, problems, rows } = data
  return (
    <div className="grid gap-4">
      {problems.length > 0 && (
        <ul className="grid gap-1 text-body text-warning">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <p className="text-body">
        {`${formatCount(totals.same, 'compte identique', 'comptes identiques')}, ${formatCount(totals.differs, 'diffère', 'diffèrent')}\u00a0; ${formatMoney(totals.theirs)} facturés ailleurs, ${formatMoney(totals.ours)} par notre calcul, écart ${formatMoney(totals.difference)}.`}
      </p>
      <Table
        label="Comparaison"
        rows={rows.map((row) => ({ ...row, id: `${row.seller.id} ${row.buyer.id}` }))}
        columns={columns}
      />
    </div>
  )
}

/** A past month as we would have billed it, beside what was: nothing is written. */
export function MonthComparison({ operationId, months }: { operationId: string; months: string[] }) {
  const [chosen, setChosen] = useState('')
  const month = (chosen || months[0] || '').slice(0, 7)
  return (
    <Card
      title="Comparer un mois à notre calcul"
      description={
        'À blanc, avec les relevés, la clé et le tarif d’ici\u00a0: chaque écart est à comprendre avant la première clôture.'
      }
      actions={
        <Select
          aria-label="Mois comparé"
          className="w-48"
          value={month}
          options={months.map((day) => ({ value: day.slice(0, 7), label: formatMonthYear(day) }))}
          onChange={({ target }) => setChosen(target.value)}
        />
      }
    >
      <ComparisonRows operationId={operationId} month={month} />
    </Card>
  )
}
