import { useQuery } from '@tanstack/react-query'
import { declarations, type VatRow } from '@voisol/contract/declarations'
import { useState } from 'react'
import { formatMoney, formatPercent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { PrepareDeclarationButton } from './make-button.tsx'

const REGIME_LABELS = { S: 'Soumis à la TVA', E: 'Exonéré', O: 'Hors champ' }
type VatTableRow = Omit<VatRow, 'month'> & { id: string; name: string; regime: string }

const columns: Column<VatTableRow>[] = [
  { header: 'Mois', card: 'title', cell: ({ name }) => <span className="block first-letter:uppercase">{name}</span> },
  { header: 'Régime', card: 'secondary', cell: ({ regime }) => regime },
  {
    header: 'Taux',
    card: 'primary',
    align: 'end',
    cell: ({ rate, id }) => (id === 'total' ? '' : formatPercent(rate / 10_000)),
  },
  { header: 'Base HT', card: 'primary', align: 'end', cell: ({ base }) => formatMoney(base) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => <strong>{formatMoney(tax)}</strong> },
]

function buildVatRows(rows: VatRow[]): VatTableRow[] {
  const sum = (of: (row: VatRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const total = { category: 'S' as const, rate: 0, base: sum(({ base }) => base), tax: sum(({ tax }) => tax) }
  return [
    ...rows.map(({ month, ...row }) => ({
      ...row,
      id: `${month} ${row.category} ${row.rate}`,
      name: formatMonthYear(month),
      regime: REGIME_LABELS[row.category],
    })),
    { ...total, id: 'total', name: 'Total', regime: '' },
  ]
}

const GROUPING_OPTIONS = [
  { value: 'issue', label: 'Par mois d’émission' },
  { value: 'supply', label: 'Par mois de fourniture' },
]

/** The tax of the documents, by month: that of issue is the accounts’, that of supply is when it is due. */
export function VatSummary({ sellerId, year }: { sellerId: string; year: number }) {
  const [by, setBy] = useState('issue')
  const { data, error, refetch } = useQuery(query(declarations.vat, { query: { sellerId, year } }))
  const rows = data && (by === 'supply' ? data.supply : data.issue)
  return (
    <Card
      title="TVA"
      description="La somme des documents, avoirs déduits ; par mois d’émission elle est celle des comptes."
      actions={
        <PrepareDeclarationButton order={{ kind: 'vat', of: sellerId, year }}>
          Préparer le récapitulatif de TVA
        </PrepareDeclarationButton>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !rows ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <div className="grid gap-3 [&>*]:min-w-0">
          <FilterChips
            label="Regrouper"
            options={GROUPING_OPTIONS}
            value={by}
            onChange={(next) => setBy(next ?? 'issue')}
          />
          {rows.length > 0 ? (
            <Table label={`TVA ${year}`} rows={buildVatRows(rows)} columns={columns} />
          ) : (
            <p className="text-body text-ink-soft">Rien à déclarer pour {year}.</p>
          )}
        </div>
      )}
    </Card>
  )
}
