import { useQuery } from '@tanstack/react-query'
import { type DifferenceRow, reconciliation } from '@voisol/contract/reconciliation'
import { Fragment } from 'react'
import { daySearch, monthSearch } from '../../../../lib/day-search.ts'
import { CAUSES } from '../../../../lib/distributor-labels.ts'
import { meterLine } from '../../../../lib/energy-labels.ts'
import { kwh, number, time } from '../../../../lib/format.ts'
import { pointName } from '../../../../lib/point-name.ts'
import { query } from '../../../../lib/queries.ts'
import { useUser } from '../../../../lib/session.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Link } from '../../../../ui/link.tsx'
import { dayLabel, fullDayLabel } from '../../../../ui/period/label.ts'
import { type Column, Table } from '../../../../ui/table.tsx'
import { TableSkeleton } from '../../../../ui/table-skeleton.tsx'
import { Gap } from './gap.tsx'
import { monthTitle } from './reconciliation-words.ts'
import type { Place } from './use-place.ts'

type Opened = Place & { month: string }
type Row = DifferenceRow & { id: string }
/** What each point is called in the operation; its own label, else who takes part with it. */
export type Names = ReadonlyMap<string, string>
type RowsProps = { operationId: string; names: Names; place: Opened; link: (place: Place) => string }

const nameOf = (row: DifferenceRow, names: Names) => row.label || names.get(row.pointId) || pointName(row)

/** The first column leads one level deeper, as long as there is one. */
function firstColumn({ place: { month, pointId, day }, link, names }: RowsProps): Column<Row> {
  if (day) return { header: 'Heure', cell: ({ at }) => <span className="tabular">{time(at)}</span> }
  if (pointId)
    return {
      header: 'Jour',
      cell: ({ at }) => (
        <Link to={link({ month, pointId, day: at })} preventScrollReset className="whitespace-nowrap text-link">
          {fullDayLabel(at)}
        </Link>
      ),
    }
  return {
    header: 'Point',
    cell: (row) => (
      <span className="block min-w-44 py-1">
        <Link to={link({ month, pointId: row.pointId })} preventScrollReset className="font-medium text-link">
          {nameOf(row, names)}
        </Link>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{meterLine(row)}</span>
      </span>
    ),
  }
}

/** A step is a few watt-hours: said as such, so that a column compares. */
const amount = (value: number | null, fine: boolean) =>
  value === null ? '–' : fine ? `${number(value, 1)}\u00a0Wh` : kwh(value / 1000, 2)

const columnsOf = (props: RowsProps): Column<Row>[] => {
  const fine = Boolean(props.place.day)
  return [
    firstColumn(props),
    { header: 'Notre calcul', align: 'end', cell: ({ oursWh }) => amount(oursWh, fine) },
    { header: 'Enedis', align: 'end', cell: ({ theirsWh }) => amount(theirsWh, fine) },
    { header: 'Écart', align: 'end', cell: ({ differenceWh }) => <Gap wattHours={differenceWh} fine={fine} /> },
    {
      header: 'Cause',
      cell: ({ cause }) => (
        <span className="block min-w-52 py-1">
          <Badge tone={CAUSES[cause].tone}>{CAUSES[cause].label}</Badge>
          {cause !== 'equal' && cause !== 'rounding' && (
            <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">{CAUSES[cause].meaning}</span>
          )}
        </span>
      ),
    },
  ]
}

type Step = { label: string; to?: string }

const Path = ({ steps }: { steps: Step[] }) => (
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

const stepsOf = ({ place: { month, pointId, day }, link }: RowsProps, name: string): Step[] => [
  { label: 'Tous les mois', to: link({}) },
  { label: monthTitle(month), ...(pointId && { to: link({ month }) }) },
  ...(pointId ? [{ label: name, ...(day && { to: link({ month, pointId }) }) }] : []),
  ...(day ? [{ label: dayLabel(day) }] : []),
]

/** The same days on the screens that made the figures. */
function Elsewhere({ operationId, place: { month, pointId, day } }: Pick<RowsProps, 'operationId' | 'place'>) {
  const { companyId } = useUser()
  const days = day ? daySearch(day) : monthSearch(month)
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
export function MonthRows(props: RowsProps) {
  const { month, pointId, day } = props.place
  const level = day ? 'step' : pointId ? 'day' : 'month'
  const { data, error, refetch } = useQuery(
    query(reconciliation.rows, { params: { id: props.operationId }, query: { month, level, pointId, day } }),
  )
  const [first] = data?.items ?? []
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Path steps={stepsOf(props, first ? nameOf(first, props.names) : 'Point')} />
        <Elsewhere operationId={props.operationId} place={props.place} />
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
          columns={columnsOf(props)}
        />
      )}
    </>
  )
}
