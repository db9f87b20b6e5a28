import { useQuery } from '@tanstack/react-query'
import type { AnnualMonth } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { useState } from 'react'
import { formatMoney, formatMonth } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DownloadButton } from './download-button.tsx'
import { formatDocumentKwh } from './labels.ts'

type MonthRow = Omit<AnnualMonth, 'documents' | 'month'> & { id: string; name: string; numbers: string }

const columns: Column<MonthRow>[] = [
  { header: 'Mois fourni', card: 'title', cell: ({ name }) => <span className="capitalize">{name}</span> },
  { header: 'Documents', card: 'secondary', cell: ({ numbers }) => <span className="tabular">{numbers}</span> },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => formatDocumentKwh(wh) },
  { header: 'HT', card: 'primary', align: 'end', cell: ({ net }) => formatMoney(net) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => formatMoney(tax) },
  { header: 'TTC', card: 'primary', align: 'end', cell: ({ gross }) => formatMoney(gross) },
]

function AnnualTable({ buyerId, year }: { buyerId: string; year: number }) {
  const { data, error, refetch } = useQuery(query(invoices.annual, { query: { buyerId, year } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.months.length === 0) return <p className="text-body text-ink-soft">Rien n’a été fourni cette année-là.</p>
  const rows = data.months.map(({ documents, month: day, ...sums }) => ({
    ...sums,
    id: day,
    name: formatMonth(day),
    numbers: documents.map(({ number }) => number).join(', '),
  }))
  const total = { ...data.totals, id: 'total', name: `Total ${year}`, numbers: '' }
  return <Table label={`Récapitulatif ${year}`} rows={[...rows, total]} columns={columns} />
}

const getCurrentYear = () => new Date().getFullYear()

/** A year by month supplied, credit notes taken away; the same as the file. */
export function AnnualSummary({ buyerId }: { buyerId: string }) {
  const [year, setYear] = useState(getCurrentYear)
  const years = Array.from({ length: 5 }, (_, back) => String(getCurrentYear() - back))
  return (
    <Card
      title="Récapitulatif annuel"
      description="Par mois fourni, avoirs déduits."
      actions={
        <>
          <Select
            aria-label="Année"
            className="w-28"
            value={String(year)}
            onChange={(event) => setYear(Number(event.target.value))}
            options={years.map((value) => ({ value, label: value }))}
          />
          <DownloadButton endpoint={invoices.annualFile} input={{ query: { buyerId, year } }}>
            CSV
          </DownloadButton>
        </>
      }
    >
      <AnnualTable buyerId={buyerId} year={year} />
    </Card>
  )
}
