import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics } from '@voisol/contract/analytics'
import { BarChart } from '../../../components/bar-chart.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatMonthYear, formatShortMonth } from '../../../components/period/period-labels.ts'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const INVOICED_SERIES = [{ label: 'Facturé hors taxes', color: 'var(--data-local)' }]

/** What was issued for the days of each month. */
export default function Money({ where }: { where: { from: string; to: string; operationId?: string } }) {
  const { data, error, refetch } = useQuery({
    ...query(analytics.money, { query: where }),
    placeholderData: keepPreviousData,
  })
  const months = data?.months ?? []
  const sum = months.reduce((total, { invoiced }) => total + invoiced, 0)
  const documents = months.reduce((total, month) => total + month.documents, 0)
  return (
    <Card>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-80 w-full" />}
      {data && documents === 0 && (
        <EmptyState
          title="Rien n’a été facturé"
          why="Aucun document n’a été émis pour des jours de cette période."
          action={
            <ButtonLink variant="secondary" to="/billing">
              Ouvrir la clôture du mois
            </ButtonLink>
          }
        />
      )}
      {data && documents > 0 && (
        <div className="grid gap-3 [&>*]:min-w-0">
          <BarChart
            title="Facturé aux consommateurs, par mois de consommation"
            summary={`${formatMoney(sum)} hors taxes sur ${formatCount(documents, 'document')} émis, avoirs déduits.`}
            unit="€"
            series={INVOICED_SERIES}
            bars={months.map(({ month, invoiced, documents: count }) => ({
              label: formatMonthYear(month),
              short: formatShortMonth(month),
              values: [count ? invoiced / 100 : null],
            }))}
          />
          <Link to="/invoices" className="justify-self-start text-link">
            Voir les factures
          </Link>
        </div>
      )}
    </Card>
  )
}
