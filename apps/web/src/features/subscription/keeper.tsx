import { useQuery } from '@tanstack/react-query'
import { PLANS } from '@voisol/contract/plan-prices'
import { type Subscriber, subscription } from '@voisol/contract/subscription'
import { formatDate, formatMoney, formatNumber } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DeliverAddOnButtons, ExtendTrialButton, GrantPlanButton } from './keeper-actions.tsx'
import { formatPlanPrice, getSubscriptionState } from './words.ts'

type Row = Subscriber & { id: string }

function formatPaidUntil({ state, trialEndsAt, paidTo }: Subscriber): string {
  if (state === 'trial') return trialEndsAt ? formatDate(trialEndsAt) : '—'
  return paidTo ? formatDate(paidTo) : '—'
}

const columns: Column<Row>[] = [
  { header: 'Organisation', card: 'title', cell: ({ name }) => <bdi className="font-medium">{name}</bdi> },
  {
    header: 'Formule',
    card: 'primary',
    cell: ({ plan, price, period }) =>
      plan && price !== null ? (
        <>
          {PLANS[plan].name}
          <span className="block text-[0.8125rem] text-ink-soft">{formatPlanPrice(price, period)}</span>
        </>
      ) : (
        'Essai'
      ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: (row) => <Badge tone={getSubscriptionState(row).tone}>{getSubscriptionState(row).label}</Badge>,
  },
  { header: 'Jusqu’au', card: 'secondary', cell: formatPaidUntil },
  {
    header: 'Points',
    align: 'end',
    cell: ({ points: { used, limit } }) =>
      limit === null ? formatNumber(used) : `${formatNumber(used)} sur ${formatNumber(limit)}`,
  },
  { header: 'Reste à payer', align: 'end', cell: ({ open }) => formatMoney(open) },
]

/** Every company that subscribes here, for who keeps the installation. */
export function SubscribedCompanies() {
  const { data, error, refetch } = useQuery({ ...query(subscription.companies, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (!data.items.length)
    return (
      <EmptyState
        title="Aucune organisation abonnée"
        why="Celles qui s’inscrivent ici commencent par un essai de trente jours, et apparaissent dans cette liste."
        because="comes-by-itself"
      />
    )
  return (
    <Card
      title="Les organisations abonnées"
      description={
        'Leurs factures sont émises dans votre série ABO, et se suivent comme les autres dans «\u00a0Factures\u00a0».'
      }
    >
      <Table
        label="Organisations abonnées"
        rows={data.items.map((row) => ({ ...row, id: String(row.companyId) }))}
        columns={columns}
        rowActions={(row) => (
          <>
            <DeliverAddOnButtons row={row} />
            {row.state === 'trial' && <ExtendTrialButton row={row} />}
            {row.plan !== 'enterprise' && <GrantPlanButton row={row} />}
          </>
        )}
      />
    </Card>
  )
}
