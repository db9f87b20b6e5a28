import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analytics, COMPARE_WORDS, COMPARED, CompareBy } from '@voisol/contract/analytics'
import { useLocation } from 'react-router'
import { plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Period, periodOf } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { barsOf, nameOf, SERIES, summaryOf } from './bars.ts'
import { columnsFor } from './columns.tsx'
import type { Look, Side } from './use-look.ts'

const BY = CompareBy.options.map((value) => ({ value, label: COMPARE_WORDS[value] }))
const SIDES: { value: Side; label: string }[] = [
  { value: 'consumption', label: 'Consommation' },
  { value: 'production', label: 'Production' },
]

type Props = {
  where: { from: string; to: string; operationId?: string }
  look: Look
  onLook: (next: Record<string, string>) => void
  onPeriod: (period: Period) => void
}

/** Side by side as bars, and with every figure in the table below: each line leads to what it is made of. */
export function Comparison({ where, look, onLook, onPeriod }: Props) {
  const { side } = look
  const { pathname: here } = useLocation()
  const { user } = useSession()
  const { data, error, refetch } = useQuery({
    ...query(analytics.compare, { query: { ...where, by: look.by } }),
    placeholderData: keepPreviousData,
  })
  // Until what was just chosen comes, what is still shown is told as what it is.
  const by = data?.by ?? look.by
  const rows = data?.rows.map((row) => ({ ...row, name: nameOf(row, by) }))
  const title = `${COMPARE_WORDS[by]}\u00a0: ${side === 'production' ? 'où va la production' : 'd’où vient la consommation'}`
  return (
    <Card
      title="Comparer"
      description={
        data && data.count > COMPARED ? `Les ${COMPARED} plus grands de ${plural(data.count, 'ligne')}.` : undefined
      }
      actions={
        <>
          <Select
            aria-label="Ce qui est comparé"
            className="sm:w-44"
            value={look.by}
            onChange={(event) => onLook({ by: event.target.value })}
            options={BY}
          />
          <Select
            aria-label="Sens"
            className="sm:w-44"
            value={side}
            onChange={(event) => onLook({ side: event.target.value })}
            options={SIDES}
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
            summary={summaryOf(rows, side)}
            unit="kWh"
            series={SERIES[side]}
            bars={barsOf(rows, side)}
            names={by === 'months' ? undefined : COMPARE_WORDS[by]}
          />
          <Table
            label={`${COMPARE_WORDS[by]}, toutes les valeurs`}
            rows={rows}
            columns={columnsFor(by, { companyId: user?.companyId ?? 0, here, side }, (month) =>
              onPeriod(periodOf('month', month)),
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
