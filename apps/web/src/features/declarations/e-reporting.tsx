import { useQuery } from '@tanstack/react-query'
import { declarations, type ReportRow } from '@voisol/contract/declarations'
import { useState } from 'react'
import { date, money, percent, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { monthLabel } from '../../ui/period/label.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { MakeButton } from './make-button.tsx'

type Row = ReportRow & { id: string }
const CODES = { TLB1: 'Biens (TLB1)', TPS1: 'Services (TPS1)', TNT1: 'Sans TVA (TNT1)' }
const columns: Column<Row>[] = [
  { header: 'Jour', card: 'title', cell: ({ day }) => date(day) },
  { header: 'Catégorie', card: 'secondary', cell: ({ code, rate }) => `${CODES[code]}, ${percent(rate / 10_000)}` },
  { header: 'Base HT', card: 'primary', align: 'end', cell: ({ base }) => money(base) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => money(tax) },
  { header: 'Nombre', card: 'primary', align: 'end', cell: ({ documents }) => plural(documents, 'document') },
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
            <MakeButton order={{ ...order, format: 'csv' }} label="Préparer l’e-reporting en CSV">
              CSV
            </MakeButton>
            <MakeButton order={{ ...order, format: 'xml' }} label="Préparer l’e-reporting en XML">
              XML
            </MakeButton>
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
            options={months.map((one) => ({ value: one, label: monthLabel(`${one}-01`) }))}
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
