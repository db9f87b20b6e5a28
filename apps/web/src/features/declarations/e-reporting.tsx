import { useQuery } from '@tanstack/react-query'
import { declarations, type ReportRow } from '@voisol/contract/declarations'
import { useState } from 'react'
import { formatCount, formatDate, formatMoney, formatPercent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { PrepareDeclarationButton } from './make-button.tsx'

type ReportTableRow = ReportRow & { id: string }
const TRANSACTION_CODE_LABELS = { TLB1: 'Biens (TLB1)', TPS1: 'Services (TPS1)', TNT1: 'Sans TVA (TNT1)' }
const columns: Column<ReportTableRow>[] = [
  { header: 'Jour', card: 'title', cell: ({ day }) => formatDate(day) },
  {
    header: 'Catégorie',
    card: 'secondary',
    cell: ({ code, rate }) => `${TRANSACTION_CODE_LABELS[code]}, ${formatPercent(rate / 10_000)}`,
  },
  { header: 'Base HT', card: 'primary', align: 'end', cell: ({ base }) => formatMoney(base) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => formatMoney(tax) },
  { header: 'Nombre', card: 'primary', align: 'end', cell: ({ documents }) => formatCount(documents, 'document') },
]

/** Sales to persons, by day of issue: what the administration will ask for. */
export function EReporting({ sellerId, year }: { sellerId: string; year: number }) {
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useQuery(query(declarations.eReporting, { query: { sellerId, year } }))
  const months = [...new Set((data?.items ?? []).map(({ day }) => day.slice(0, 7)))]
  const month = months.find((one) => one === chosen) ?? months.at(-1)
  const rows = (data?.items ?? []).filter(({ day }) => month !== undefined && day.startsWith(month))
  const order = { kind: 'eReporting' as const, of: sellerId, year, month: Number(month?.slice(5)) }
  return (
    <Card
      title="E-reporting"
      description="Les ventes aux particuliers, par jour, catégorie et taux. L’obligation commence le 1er septembre 2027 pour les petites entreprises."
      actions={
        month && (
          <>
            <PrepareDeclarationButton order={{ ...order, format: 'csv' }} label="Préparer l’e-reporting en CSV">
              CSV
            </PrepareDeclarationButton>
            <PrepareDeclarationButton order={{ ...order, format: 'xml' }} label="Préparer l’e-reporting en XML">
              XML
            </PrepareDeclarationButton>
          </>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : month ? (
        <div className="grid gap-3 [&>*]:min-w-0">
          <Select
            aria-label="Mois à déclarer"
            className="sm:w-56"
            value={month}
            options={months.map((one) => ({ value: one, label: formatMonthYear(`${one}-01`) }))}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Table
            label="Ventes à déclarer"
            rows={rows.map((row) => ({ ...row, id: `${row.day} ${row.code} ${row.rate}` }))}
            columns={columns}
          />
        </div>
      ) : (
        <p className="text-body text-ink-soft">Aucune vente à un particulier en {year}.</p>
      )}
    </Card>
  )
}
