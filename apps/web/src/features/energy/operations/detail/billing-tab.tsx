import { useQuery } from '@tanstack/react-query'
import { type BillingMonth, billing } from '@voisol/contract/billing'
import type { Operation } from '@voisol/contract/operations'
import { tariffs } from '@voisol/contract/tariffs'
import { Badge } from '../../../../components/badge.tsx'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { formatBillingMonthTitle, MONTH_STATE_LABELS } from '../../../../lib/billing-labels.ts'
import { useCan } from '../../../../lib/can.tsx'
import { formatDate, formatMoney } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'

type Row = BillingMonth & { id: string }

const buildColumns = (operationId: string): Column<Row>[] => [
  {
    header: 'Mois',
    card: 'title',
    cell: ({ month }) => (
      <Link to={`/billing?operation=${operationId}&month=${month}`} className="text-link font-medium">
        {formatBillingMonthTitle(month)}
      </Link>
    ),
  },
  {
    header: 'État',
    cell: ({ state }) => <Badge tone={MONTH_STATE_LABELS[state].tone}>{MONTH_STATE_LABELS[state].label}</Badge>,
  },
  { header: 'Documents', align: 'end', cell: ({ totals }) => totals?.documents ?? '–' },
  { header: 'TTC', align: 'end', cell: ({ totals }) => (totals ? formatMoney(totals.gross) : '–') },
  { header: 'À régler', card: 'secondary', cell: ({ missing }) => missing || '–' },
]

/** The months of the operation and how far each has come; the page of a month does the rest. */
export default function BillingTab({ operation }: { operation: Operation }) {
  const can = useCan()
  const { data, error, refetch } = useQuery(query(billing.months, { query: { operationId: operation.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const rows = data.items.map((month) => ({ ...month, id: month.month }))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {can(tariffs.list) && <TariffInForce operationId={operation.id} />}
      {rows.length ? (
        <Table label="Mois de facturation" rows={rows} columns={buildColumns(operation.id)} />
      ) : (
        <EmptyState
          title="Aucun mois à facturer"
          why="Les mois paraissent ici dès qu’un consommateur participe à l’opération."
          action={<ButtonLink to={`/acc-operations/${operation.id}/participants`}>Ajouter des participants</ButtonLink>}
        />
      )}
    </div>
  )
}

function TariffInForce({ operationId }: { operationId: string }) {
  const { data } = useQuery(query(tariffs.list, { params: { id: operationId } }))
  if (!data) return <Skeleton className="h-20 w-full" />
  const tariffInForce = data.items.find(({ inForce }) => inForce)
  return (
    <Card
      title="Tarif en vigueur"
      actions={
        <ButtonLink size="small" variant="secondary" to={`/advanced-billing?tab=tarifs&operation=${operationId}`}>
          Voir les tarifs
        </ButtonLink>
      }
    >
      <p className="text-body text-ink-soft">
        {tariffInForce
          ? `Version ${tariffInForce.number}${tariffInForce.label && `, ${tariffInForce.label}`}, depuis le ${formatDate(tariffInForce.startsOn)}.`
          : 'Aucun tarif adopté ne vaut aujourd’hui.'}
      </p>
    </Card>
  )
}
