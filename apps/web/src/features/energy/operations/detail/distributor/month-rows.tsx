import { useQuery } from '@tanstack/react-query'
import { type DifferenceRow, reconciliation } from '@voisol/contract/reconciliation'
import { Fragment } from 'react'
import { Badge } from '../../../../../components/badge.tsx'
import { ButtonLink } from '../../../../../components/button.tsx'
import { EmptyState } from '../../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../../components/error-state.tsx'
import { Link } from '../../../../../components/link.tsx'
import { TableSkeleton } from '../../../../../components/loading.tsx'
import { formatFullDay, formatLongDay } from '../../../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../../../components/table.tsx'
import { DIFFERENCE_CAUSE_LABELS } from '../../../../../lib/distributor-labels.ts'
import { formatMeterLine, formatPointName } from '../../../../../lib/energy-labels.ts'
import { formatKwh, formatNumber, formatTime } from '../../../../../lib/format.ts'
import { buildDaySearch, buildMonthSearch } from '../../../../../lib/period-search.ts'
import { query } from '../../../../../lib/queries.ts'
import { useUser } from '../../../../../lib/session.ts'
import { EnergyDifference } from './gap.tsx'
import { formatMonthTitle } from './reconciliation-words.ts'
import type { ReconciliationLocation } from './use-place.ts'

type MonthLocation = ReconciliationLocation & { month: string }
type DifferenceTableRow = DifferenceRow & { id: string }
/** What each point is called in the operation; its own label, else who takes part with it. */
export type PointNames = ReadonlyMap<string, string>
type MonthRowsProps = {
  operationId: string
  names: PointNames
  place: MonthLocation
  link: (place: ReconciliationLocation) => string
}

const getPointName = (row: DifferenceRow, names: PointNames) =>
  row.label || names.get(row.pointId) || formatPointName(row)

/** The first column leads one level deeper, as long as there is one. */
function buildFirstColumn({ place: { month, pointId, day }, link, names }: MonthRowsProps): Column<DifferenceTableRow> {
  if (day) return { header: 'Heure', cell: ({ at }) => <span className="tabular">{formatTime(at)}</span> }
  if (pointId)
    return {
      header: 'Jour',
      cell: ({ at }) => (
        <Link to={link({ month, pointId, day: at })} preventScrollReset className="whitespace-nowrap text-link">
          {formatFullDay(at)}
        </Link>
      ),
    }
  return {
    header: 'Point',
    cell: (row) => (
      <span className="block min-w-44 py-1">
        <Link to={link({ month, pointId: row.pointId })} preventScrollReset className="font-medium text-link">
          {getPointName(row, names)}
        </Link>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{formatMeterLine(row)}</span>
      </span>
    ),
  }
}

/** A step is a few watt-hours: said as such, so that a column compares. */
const formatAmount = (value: number | null, fine: boolean) =>
  value === null ? '–' : fine ? `${formatNumber(value, 1)}\u00a0Wh` : formatKwh(value / 1000, 2)

const buildColumns = (props: MonthRowsProps): Column<DifferenceTableRow>[] => {
  const fine = Boolean(props.place.day)
  return [
    buildFirstColumn(props),
    { header: 'Notre calcul', align: 'end', cell: ({ oursWh }) => formatAmount(oursWh, fine) },
    { header: 'Enedis', align: 'end', cell: ({ theirsWh }) => formatAmount(theirsWh, fine) },
    {
      header: 'Écart',
      align: 'end',
      cell: ({ differenceWh }) => <EnergyDifference wattHours={differenceWh} fine={fine} />,
    },
    {
      header: 'Cause',
      cell: ({ cause }) => (
        <span className="block min-w-52 py-1">
          <Badge tone={DIFFERENCE_CAUSE_LABELS[cause].tone}>{DIFFERENCE_CAUSE_LABELS[cause].label}</Badge>
          {cause !== 'equal' && cause !== 'rounding' && (
            <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">
              {DIFFERENCE_CAUSE_LABELS[cause].meaning}
            </span>
          )}
        </span>
      ),
    },
  ]
}

type PathStep = { label: string; to?: string }

const LocationPath = ({ steps }: { steps: PathStep[] }) => (
  <nav aria-label="Rapprochement affiché" className="flex flex-wrap items-center gap-x-2 text-body">
    {steps.map(({ label, to }, at) => (
      <Fragment key={label}>
        {at > 0 && (
          <span aria-hidden="true" className="text-ink-soft">
            ›
          </span>
        )}
        {to ? (
          <Link to={to} preventScrollReset className="text-link">
            {label}
          </Link>
        ) : (
          <span aria-current="true" className="font-medium">
            {label}
          </span>
        )}
      </Fragment>
    ))}
  </nav>
)

const buildPathSteps = ({ place: { month, pointId, day }, link }: MonthRowsProps, name: string): PathStep[] => [
  { label: 'Tous les mois', to: link({}) },
  { label: formatMonthTitle(month), ...(pointId && { to: link({ month }) }) },
  ...(pointId ? [{ label: name, ...(day && { to: link({ month, pointId }) }) }] : []),
  ...(day ? [{ label: formatLongDay(day) }] : []),
]

/** The same days on the screens that made the figures. */
function RelatedScreenLinks({
  operationId,
  place: { month, pointId, day },
}: Pick<MonthRowsProps, 'operationId' | 'place'>) {
  const { companyId } = useUser()
  const days = day ? buildDaySearch(day) : buildMonthSearch(month)
  return (
    <div className="flex flex-wrap gap-2">
      {pointId && (
        <ButtonLink
          variant="secondary"
          size="small"
          to={`/companies/${companyId}/operations/${operationId}/load-curves/${pointId}?${days}`}
        >
          Voir la courbe
        </ButtonLink>
      )}
      <ButtonLink variant="secondary" size="small" to={`/acc-operations/${operationId}/energy-distribution?${days}`}>
        Voir la répartition
      </ButtonLink>
    </div>
  )
}

/** The rows of one level: the points of a month, the days of a point, the steps of a day. */
export function MonthRows(props: MonthRowsProps) {
  const { month, pointId, day } = props.place
  const level = day ? 'step' : pointId ? 'day' : 'month'
  const { data, error, refetch } = useQuery(
    query(reconciliation.rows, { params: { id: props.operationId }, query: { month, level, pointId, day } }),
  )
  const [first] = data?.items ?? []
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <LocationPath steps={buildPathSteps(props, first ? getPointName(first, props.names) : 'Point')} />
        <RelatedScreenLinks operationId={props.operationId} place={props.place} />
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <TableSkeleton label="Écarts" />}
      {data?.items.length === 0 && (
        <EmptyState
          title="Rien à comparer"
          why="Ni Enedis ni Voisol n’ont de chiffres à ce niveau."
          because="chosen-here"
        />
      )}
      {data && data.items.length > 0 && (
        <Table
          label="Écarts avec Enedis"
          rows={data.items.map((row) => ({ ...row, id: `${row.pointId}-${row.at}` }))}
          columns={buildColumns(props)}
        />
      )}
    </>
  )
}
