import { useQuery } from '@tanstack/react-query'
import { type LotCharge, lots, SPREAD_LABELS } from '@voisol/contract/lots'
import { formatCount, formatEnergy, formatMoney, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { Link } from '../../ui/link.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { KpiTile } from '../../ui/tile.tsx'

const FORMATS = { pdf: 'Liste par lot (PDF)', csv: 'CSV pour Excel', xlsx: 'Classeur Excel (.xlsx)' }
const EXPORT_FORMATS = ['pdf', 'csv', 'xlsx'] as const
const toExportFormat = (format: string) => EXPORT_FORMATS.find((one) => one === format) ?? 'pdf'

const columns: Column<LotCharge & { id: string }>[] = [
  {
    header: 'Lot',
    card: 'title',
    cell: (lot) => (
      <span className="block min-w-40">
        <span className="block font-medium">{/^\d/.test(lot.number) ? `Lot ${lot.number}` : lot.number}</span>
        {lot.holder && <span className="block text-[0.8125rem] text-ink-soft">{lot.holder}</span>}
      </span>
    ),
  },
  { header: 'Tantièmes', card: 'primary', align: 'end', cell: ({ shares }) => formatNumber(shares) },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => formatEnergy(wh) },
  { header: 'Charge TTC', card: 'primary', align: 'end', cell: ({ gross }) => formatMoney(gross) },
]

/** What each lot bears of the documents of a period, and the documents. */
export function LotChargesPanel({ id, from, to }: { id: string; from: string; to: string }) {
  const span = { from, to }
  const { data, error, refetch } = useQuery(query(lots.charges, { params: { id }, query: span }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Charges par lot" />
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <KpiTile
          label="Charge TTC"
          figure={formatMoney(data.gross)}
          note={formatCount(data.documents.length, 'document')}
        />
        <KpiTile label="Énergie locale" figure={formatEnergy(data.wh)} />
        <KpiTile
          label="Lots"
          figure={formatNumber(data.lots.length)}
          note={`${SPREAD_LABELS[data.by]}, ${formatNumber(data.shares)} tantièmes`}
        />
      </div>
      <Card
        title="Charge de chaque lot"
        description="La somme des lots est celle des documents, au centime près."
        actions={
          <ExportMenu
            endpoint={lots.file}
            formats={FORMATS}
            input={(format) => ({ params: { id }, query: { ...span, format: toExportFormat(format) } })}
          />
        }
      >
        <div className="grid gap-4">
          {data.documents.length > 0 ? (
            <p className="text-body text-ink-soft">
              {'Documents\u00a0: '}
              {data.documents.map((document, at) => (
                <span key={document.id}>
                  {at > 0 && ', '}
                  <Link to={`/invoice/${document.id}`} className="text-link">
                    {document.number}
                  </Link>
                </span>
              ))}
            </p>
          ) : (
            <p className="text-body text-ink-soft">Rien n’a été facturé pour cette période.</p>
          )}
          <Table
            label="Charge de chaque lot"
            rows={data.lots.map((lot) => ({ ...lot, id: lot.number }))}
            columns={columns}
          />
        </div>
      </Card>
    </>
  )
}
