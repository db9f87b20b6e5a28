import { useQuery } from '@tanstack/react-query'
import type { Operation } from '@voisol/contract/operations'
import { type ReconciledMonth, reconciliation } from '@voisol/contract/reconciliation'
import { withAccess } from '../../../../lib/can.tsx'
import { VERDICT_LABELS } from '../../../../lib/distributor-labels.ts'
import { formatCount, formatDateTime, formatKwh, formatNumber } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../../ui/export-menu.tsx'
import { Link } from '../../../../ui/link.tsx'
import { type Column, Table } from '../../../../ui/table.tsx'
import { TableSkeleton } from '../../../../ui/table-skeleton.tsx'
import { EnergyDifference } from './gap.tsx'
import { MonthRows, type PointNames } from './month-rows.tsx'
import { formatCauseCounts, formatMonthTitle } from './reconciliation-words.ts'
import { type ReconciliationLocation, useReconciliationLocation } from './use-place.ts'

/** Always the same unit: the two columns are there to be compared. */
const formatWhAsKwh = (wattHours: number) => formatKwh(wattHours / 1000)

type Row = ReconciledMonth & { id: string }

const buildColumns = (link: (place: ReconciliationLocation) => string): Column<Row>[] => [
  {
    header: 'Mois',
    cell: ({ month, verdict }) => (
      <span className="block min-w-32 whitespace-nowrap">
        {verdict === 'nothing-to-compare' ? (
          <span className="font-medium">{formatMonthTitle(month)}</span>
        ) : (
          <Link to={link({ month })} preventScrollReset className="font-medium text-link">
            {formatMonthTitle(month)}
          </Link>
        )}
      </span>
    ),
  },
  {
    header: 'Résultat',
    cell: ({ verdict }) => <Badge tone={VERDICT_LABELS[verdict].tone}>{VERDICT_LABELS[verdict].label}</Badge>,
  },
  { header: 'Notre calcul', align: 'end', cell: ({ oursWh }) => formatWhAsKwh(oursWh) },
  {
    header: 'Enedis',
    align: 'end',
    cell: ({ theirsWh, definitive }) => (
      <span className="block whitespace-nowrap">
        {formatWhAsKwh(theirsWh)}
        <span className="block text-[0.8125rem] text-ink-soft">{definitive ? 'définitif' : 'provisoire'}</span>
      </span>
    ),
  },
  { header: 'Écart', align: 'end', cell: ({ oursWh, theirsWh }) => <EnergyDifference wattHours={oursWh - theirsWh} /> },
  {
    header: 'Points comparés',
    cell: ({ points, causes }) => (
      <span className="block min-w-52">
        {formatCount(points, 'point')}
        <span className="block text-[0.8125rem] text-ink-soft">{formatCauseCounts(causes)}</span>
      </span>
    ),
  },
  {
    header: 'Comparé',
    cell: ({ checkedAt }) => <span className="whitespace-nowrap">{formatDateTime(checkedAt)}</span>,
  },
]

function ReconciledMonths({
  operation,
  link,
}: {
  operation: Operation
  link: (place: ReconciliationLocation) => string
}) {
  const { data, error, refetch } = useQuery({
    ...query(reconciliation.months, { params: { id: operation.id } }),
    staleTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Mois rapprochés" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Rien à comparer"
        why="Enedis n’a pas encore donné ses chiffres. Demandez les séries de la convention ou les quantités définitives d’un mois terminé."
        because="chosen-here"
      />
    )
  return (
    <>
      <Table
        label="Mois rapprochés"
        rows={data.items.map((item) => ({ ...item, id: item.month }))}
        columns={buildColumns(link)}
      />
      <p className="text-[0.8125rem] text-ink-soft">
        Un écart d’un demi-watt par pas, et d’au plus {formatNumber(data.toleranceWh)}&nbsp;Wh par point et par mois,
        est un arrondi&nbsp;; Enedis donne les quantités définitives en kWh entiers, ce qui en laisse moins d’un par
        classe horaire.
      </p>
    </>
  )
}

/** Our figures beside the distributor's: by month, then point, day and step. */
export const ReconciliationSection = withAccess(
  reconciliation.months,
  ({ operation, names }: { operation: Operation; names: PointNames }) => {
    const { place, link } = useReconciliationLocation()
    const { month, pointId, day } = place
    return (
      <section aria-label="Rapprochement avec Enedis" className="grid gap-3 [&>*]:min-w-0">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 className="text-base font-semibold tracking-[-0.01em]">Rapprochement</h2>
            <p className="text-body text-ink-soft">
              L’énergie locale selon notre calcul et selon Enedis&nbsp;; chaque écart a sa cause.
            </p>
          </div>
          {month && (
            <ExportMenu
              endpoint={reconciliation.export}
              input={(format) => ({
                params: { id: operation.id },
                query: { month, pointId, day, level: getLevel(place), format: toTableFormat(format) },
              })}
            />
          )}
        </header>
        {month ? (
          <MonthRows operationId={operation.id} names={names} place={{ month, pointId, day }} link={link} />
        ) : (
          <ReconciledMonths operation={operation} link={link} />
        )}
      </section>
    )
  },
)

const getLevel = ({ pointId, day }: ReconciliationLocation): 'month' | 'day' | 'step' =>
  day ? 'step' : pointId ? 'day' : 'month'
