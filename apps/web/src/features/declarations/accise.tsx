import { useQuery } from '@tanstack/react-query'
import { type AcciseRow, declarations } from '@voisol/contract/declarations'
import { formatKwh, formatMoney, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { PrepareDeclarationButton } from './make-button.tsx'

type AcciseTableRow = AcciseRow & { id: string }
const columns: Column<AcciseTableRow>[] = [
  {
    header: 'Mois fourni',
    card: 'title',
    cell: ({ month }) => <span className="block first-letter:uppercase">{formatMonthYear(month)}</span>,
  },
  {
    header: 'Catégorie',
    card: 'secondary',
    cell: ({ acciseClass, centsPerMwh }) =>
      acciseClass === null ? 'Tarif nul' : `${acciseClass}, ${formatNumber((centsPerMwh ?? 0) / 100, 2)} €/MWh`,
  },
  { header: 'Énergie', card: 'primary', align: 'end', cell: ({ wh }) => formatKwh(wh / 1000, 3) },
  { header: 'Accise', card: 'primary', align: 'end', cell: ({ cents }) => formatMoney(cents) },
]

/** What was supplied, by class of accise; what bears the zero rate is told too. */
export function AcciseSummary({ sellerId, year }: { sellerId: string; year: number }) {
  const { data, error, refetch } = useQuery(query(declarations.accise, { query: { sellerId, year } }))
  return (
    <Card
      title="Accise sur l’électricité"
      description={data ? `${formatKwh(data.wh / 1000, 3)} fournis, ${formatMoney(data.cents)} d’accise.` : undefined}
      actions={
        <PrepareDeclarationButton order={{ kind: 'accise', of: sellerId, year }}>
          Préparer le récapitulatif d’accise
        </PrepareDeclarationButton>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : data.items.length > 0 ? (
        <Table
          label={`Accise ${year}`}
          rows={data.items.map((row) => ({ ...row, id: `${row.month} ${row.acciseClass} ${row.centsPerMwh}` }))}
          columns={columns}
        />
      ) : (
        <p className="text-body text-ink-soft">Rien n’a été fourni en {year}.</p>
      )}
    </Card>
  )
}
