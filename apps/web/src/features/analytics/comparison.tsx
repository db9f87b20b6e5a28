import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics, COMPARE_BY_LABELS, CompareBy, MAX_COMPARED_ROWS } from '@voisol/contract/analytics'
import { useLocation } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { buildPeriod, type Period } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { buildCompareBars, COMPARE_SERIES, getCompareRowLabel, summarizeComparison } from './bars.ts'
import { buildCompareColumns } from './columns.tsx'
import type { AnalyticsFilters, EnergySide } from './use-look.ts'

const COMPARE_OPTIONS = CompareBy.options.map((value) => ({ value, label: COMPARE_BY_LABELS[value] }))
const DIRECTION_OPTIONS: { value: EnergySide; label: string }[] = [
  { value: 'consumption', label: 'Consommation' },
  { value: 'production', label: 'Production' },
]

type ComparisonProps = {
  where: { from: string; to: string; operationId?: string }
  look: AnalyticsFilters
  onLook: (next: Record<string, string>) => void
  onPeriod: (period: Period) => void
}

/** Side by side as bars, and with every figure in the table below: each line leads to what it is made of. */
export function ComparisonCard({ where, look, onLook, onPeriod }: ComparisonProps) {
  const { side } = look
  const { pathname: here } = useLocation()
  const { user } = useSession()
  const { data, error, refetch } = useQuery({
    ...query(analytics.compare, { query: { ...where, by: look.by } }),
    placeholderData: keepPreviousData,
  })
  // Until what was just chosen comes, what is still shown is told as what it is.
  const by = data?.by ?? look.by
  const rows = data?.rows.map((row) => ({ ...row, name: getCompareRowLabel(row, by) }))
  const title = `${COMPARE_BY_LABELS[by]}\u00a0: ${side === 'production' ? 'où va la production' : 'd’où vient la consommation'}`
  return (
    <Card
      title="Comparer"
      description={
        data && data.count > MAX_COMPARED_ROWS
          ? `Les ${MAX_COMPARED_ROWS} plus grands de ${formatCount(data.count, 'ligne')}.`
          : undefined
      }
      actions={
        <>
          <Select
            aria-label="Ce qui est comparé"
            className="sm:w-44"
            value={look.by}
            onChange={(event) => onLook({ by: event.target.value })}
            options={COMPARE_OPTIONS}
          />
          <Select
            aria-label="Sens"
            className="sm:w-44"
            value={side}
            onChange={(event) => onLook({ side: event.target.value })}
            options={DIRECTION_OPTIONS}
          />
        </>
      }
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!rows && !error && <Skeleton className="h-80 w-full" />}
      {rows?.length === 0 && (
        <EmptyState
          title="Rien à comparer"
          why="Aucun point ne participe à une opération sur cette période."
          action={
            <ButtonLink variant="secondary" to="/acc-operations">
              Voir les opérations
            </ButtonLink>
          }
        />
      )}
      {rows && rows.length > 0 && (
        <div className="grid gap-6 [&>*]:min-w-0">
          <BarChart
            title={title}
            summary={summarizeComparison(rows, side)}
            unit="kWh"
            series={COMPARE_SERIES[side]}
            bars={buildCompareBars(rows, side)}
            names={by === 'months' ? undefined : COMPARE_BY_LABELS[by]}
          />
          <Table
            label={`${COMPARE_BY_LABELS[by]}, toutes les valeurs`}
            rows={rows}
            columns={buildCompareColumns(by, { companyId: user?.companyId ?? 0, here, side }, (month) =>
              onPeriod(buildPeriod('month', month)),
            )}
          />
          <p className="text-[0.8125rem] text-ink-soft">
            {'Valeur\u00a0:'} énergie locale au prix de chaque opération. {'CO₂\u00a0:'} {data?.co2Source}.
          </p>
        </div>
      )}
    </Card>
  )
}
