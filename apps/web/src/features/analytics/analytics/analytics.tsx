import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  AnalyticsMeasure,
  analytics,
  COMPARE_BY_LABELS,
  CompareBy,
  type CompareRow,
  MAX_COMPARED_ROWS,
  type SavedView,
} from '@voisol/contract/analytics'
import { operations } from '@voisol/contract/operations'
import BookmarkPlus from 'lucide-react/icons/bookmark-plus'
import Trash from 'lucide-react/icons/trash-2'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { type Bar, BarChart, type BarSeries } from '../../../components/bar-chart.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { buildPeriod, type Period, usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { formatMonthYear, formatShortMonth } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { Can, withAccess } from '../../../lib/can.tsx'
import { formatCount, formatEnergy, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

// What is further down comes once the first figures stand.
const Curve = lazy(() => import('./curve.tsx'))
const Hours = lazy(() => import('./hours.tsx'))
const Money = lazy(() => import('./money.tsx'))
const PlantEconomies = lazy(() => import('../../../components/plant-economy/plant-economy.tsx'))

const MAX_LISTED_OPERATIONS = 100

/** Operations, members, groups and months side by side, and the hours they are made of. */
export default function Analytics() {
  const [period, setPeriod] = usePeriod('month')
  const { look, change } = useAnalyticsFilters()
  const { data } = useQuery(query(operations.list, { query: { size: MAX_LISTED_OPERATIONS, sort: 'name' } }))
  const choices = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const { from, to } = period
  const where = { from, to, ...(look.operationId && { operationId: look.operationId }) }
  return (
    <>
      <PageHeader
        title="Analyses détaillées"
        description="Comparez vos opérations, leurs membres et leurs mois, puis regardez les heures qui les composent."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod}>
          <Select
            aria-label="Opération"
            className="sm:w-64"
            value={look.operationId ?? ''}
            onChange={(event) => change({ operation: event.target.value })}
            options={[{ value: '', label: 'Toutes les opérations' }, ...choices]}
          />
        </PeriodBar>
        <SavedViews />
        <ComparisonCard where={where} look={look} onLook={change} onPeriod={setPeriod} />
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <Curve where={where} />
          <Hours where={where} measure={look.measure} onMeasure={(measure) => change({ measure })} />
          <Can call={analytics.money}>
            <Money where={where} />
          </Can>
          <PlantEconomies where={where} />
        </Suspense>
      </div>
    </>
  )
}

const ViewDialog = lazy(() => import('./view-dialog.tsx'))

const RemoveViewButton = withAccess(analytics.removeView, function RemoveViewButton({ view }: { view: SavedView }) {
  const remove = useAction(analytics.removeView, [analytics.views])
  return (
    <Confirm
      title={`Retirer la vue «\u00a0${view.name}\u00a0»`}
      description="Elle disparaît de la liste, pour vous et pour qui la voyait. Rien d’autre ne change."
      action="Retirer la vue"
      onConfirm={async () => {
        await remove.run({ params: { id: view.id } })
        toast({ title: 'Vue retirée', description: view.name, variant: 'success' })
      }}
      trigger={<IconButton label={`Retirer la vue ${view.name}`} icon={<Trash aria-hidden="true" />} />}
    />
  )
})

const ViewChip = ({ view, here }: { view: SavedView; here: string }) => (
  <li className="flex items-center gap-1 rounded-full border border-line bg-card py-0.5 pr-1 pl-3">
    <Link
      to={`${here}?${view.search}`}
      className="text-link"
      title={view.shared ? `Partagée par ${view.mine ? 'vous' : view.author}` : 'Pour vous seul'}
    >
      {view.name}
    </Link>
    {view.shared && <span className="text-[0.8125rem] text-ink-soft">partagée</span>}
    {view.mine && <RemoveViewButton view={view} />}
  </li>
)

/** What is looked at often, a click away; a view is an address under a name. */
function SavedViews() {
  const { pathname, search } = useLocation()
  const [open, setOpen] = useState(false)
  const { data } = useQuery(query(analytics.views, {}))
  const items = data?.items ?? []
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-3">
      {items.length > 0 && (
        <ul aria-label="Vues enregistrées" className="flex flex-wrap gap-2">
          {items.map((view) => (
            <ViewChip key={view.id} view={view} here={pathname} />
          ))}
        </ul>
      )}
      <Can call={analytics.saveView}>
        <Button
          variant="secondary"
          size="small"
          icon={<BookmarkPlus aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          Enregistrer cette vue
        </Button>
      </Can>
      {open && (
        <Suspense>
          <ViewDialog search={search.replace(/^\?/, '')} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

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
function ComparisonCard({ where, look, onLook, onPeriod }: ComparisonProps) {
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

/** As many as can still be told apart: months beside one another, names below one another. */
const MAX_MONTH_BARS = 24
const MAX_NAME_BARS = 12
const isMonth = ({ id }: CompareRow) => /^\d{4}-\d{2}-\d{2}$/.test(id)
const getMaxBars = (rows: CompareRow[]) => (rows.every(isMonth) ? MAX_MONTH_BARS : MAX_NAME_BARS)
const PENDING_SERIES = { label: 'Pas encore réparti', color: 'var(--data-pending)', pattern: 'dotted' } as const

const COMPARE_SERIES: Record<EnergySide, BarSeries[]> = {
  consumption: [
    { label: 'Énergie locale', color: 'var(--data-local)' },
    { label: 'Complément du réseau', color: 'var(--data-grid)' },
    PENDING_SERIES,
  ],
  production: [
    { label: 'Partagée', color: 'var(--data-local)' },
    { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'barred' },
    PENDING_SERIES,
  ],
}

const getCompareRowLabel = ({ name }: CompareRow, by: CompareBy) => (by === 'months' ? formatMonthYear(name) : name)

const getParts = (row: CompareRow, side: EnergySide) =>
  side === 'production' ? [row.produced, row.shared, row.surplus] : [row.consumed, row.allocated, row.complement]

const toKwh = (wh: number | null | undefined) => (wh === null || wh === undefined ? null : wh / 1000)

/** Those that have such a side, from the largest; months as they come. */
function buildCompareBars(rows: CompareRow[], side: EnergySide): Bar[] {
  return rows
    .filter((row) => getParts(row, side)[0] !== null)
    .slice(0, getMaxBars(rows))
    .map((row) => {
      const [whole = null, local = null, rest = null] = getParts(row, side)
      const left = Math.max(0, (whole ?? 0) - (local ?? 0) - (rest ?? 0))
      return {
        label: row.name,
        ...(isMonth(row) && { short: formatShortMonth(row.id) }),
        values: [toKwh(local), toKwh(rest), left > 0.5 ? toKwh(left) : 0],
      }
    })
}

function summarizeComparison(rows: CompareRow[], side: EnergySide): string {
  const known = rows.filter((row) => getParts(row, side)[0] !== null)
  const [first] = known.toSorted((a, b) => (getParts(b, side)[0] ?? 0) - (getParts(a, side)[0] ?? 0))
  if (!first) return 'Rien n’est connu de ce côté sur la période.'
  const most = getMaxBars(rows)
  const shown = known.length > most ? ` Les ${most} premières sont dessinées, toutes sont dans le tableau.` : ''
  return `${formatCount(known.length, 'ligne')}. La plus grande\u00a0: ${first.name}, ${formatEnergy(getParts(first, side)[0] ?? 0)}.${shown}`
}

const renderNoWrap = (text: string) => <span className="whitespace-nowrap">{text}</span>
const renderKnown = <T,>(value: T | null, say: (value: T) => string) =>
  value === null ? '–' : renderNoWrap(say(value))
const formatKg = (value: number) => `${formatNumber(value / 1000, value < 10_000 ? 1 : 0)}\u00a0kg`

/** Where the rows behind a line are. */
function getRowLink(row: CompareRow, by: CompareBy): string {
  if (by === 'operations') return `/acc-operations/${row.id}`
  if (by === 'groups') return row.members === null ? '/participants' : `/participants?tag=${encodeURIComponent(row.id)}`
  return `/participants/${row.id.split(' ')[1] ?? ''}`
}

const RowName = ({ row, by, onMonth }: { row: CompareRow; by: CompareBy; onMonth: (month: string) => void }) =>
  by === 'months' ? (
    <Button variant="quiet" size="small" onClick={() => onMonth(row.id)}>
      {row.name}
    </Button>
  ) : (
    <Link to={getRowLink(row, by)} className="font-medium text-link">
      {row.name}
    </Link>
  )

/** What a figure is the sum of: the members of an operation, the days of a member's meter, the people of a group. */
function getDetailLink(row: CompareRow, by: CompareBy, { companyId, here, side }: CompareLinkContext): string | null {
  if (by === 'operations') return `${here}?by=members&side=${side}&operation=${row.id}`
  if (by === 'groups') return getRowLink(row, by)
  const [operationId, , pointId] = row.id.split(' ')
  return by === 'members' ? `/companies/${companyId}/operations/${operationId}/load-curves/${pointId}` : null
}

type CompareLinkContext = { companyId: number; here: string; side: EnergySide }
type RenderFigure = (row: CompareRow, value: number | null) => ReactNode

/** Of one side alone: with both, lines would be wider than a screen. */
const buildSideColumns = (open: RenderFigure): Record<EnergySide, Column<CompareRow>[]> => ({
  production: [
    { header: 'Production', align: 'end', card: 'primary', cell: (row) => open(row, row.produced) },
    { header: 'Partagée', align: 'end', cell: (row) => open(row, row.shared) },
    { header: 'Surplus', align: 'end', cell: ({ surplus }) => renderKnown(surplus, formatEnergy) },
    {
      header: 'Autoconsommation',
      align: 'end',
      cell: ({ selfConsumption }) => renderKnown(selfConsumption, formatPercent),
    },
  ],
  consumption: [
    { header: 'Consommation', align: 'end', card: 'primary', cell: (row) => open(row, row.consumed) },
    { header: 'Énergie locale', align: 'end', cell: (row) => open(row, row.allocated) },
    { header: 'Complément', align: 'end', cell: ({ complement }) => renderKnown(complement, formatEnergy) },
    {
      header: 'Couverture',
      align: 'end',
      card: 'primary',
      cell: ({ selfProduction }) => renderKnown(selfProduction, formatPercent),
    },
  ],
})

/** Each figure of energy opens to what it is made of. */
const renderLinkedFigure =
  (by: CompareBy, doors: CompareLinkContext): RenderFigure =>
  (row, value) => {
    const to = getDetailLink(row, by, doors)
    if (value === null || to === null) return renderKnown(value, formatEnergy)
    return (
      <Link to={to} className="whitespace-nowrap text-link" preventScrollReset>
        {formatEnergy(value)}
      </Link>
    )
  }

const buildCompareColumns = (
  by: CompareBy,
  doors: CompareLinkContext,
  onMonth: (month: string) => void,
): Column<CompareRow>[] => [
  { header: 'Nom', card: 'title', cell: (row) => <RowName row={row} by={by} onMonth={onMonth} /> },
  ...(by === 'groups'
    ? [
        {
          header: 'Membres',
          align: 'end',
          cell: ({ members }) => renderKnown(members, String),
        } satisfies Column<CompareRow>,
      ]
    : []),
  ...buildSideColumns(renderLinkedFigure(by, doors))[doors.side],
  {
    header: 'Pas encore réparti',
    align: 'end',
    // Of a line of which nothing is known, nothing is waiting either: that is no zero.
    cell: ({ pending, consumed, produced }) =>
      renderKnown(consumed === null && produced === null ? null : pending, formatEnergy),
  },
  { header: 'Valeur', align: 'end', cell: ({ valueCents }) => renderKnown(valueCents, formatMoney) },
  { header: 'CO₂ évité', align: 'end', cell: ({ co2Grams }) => renderKnown(co2Grams, formatKg) },
]

type EnergySide = 'consumption' | 'production'
type AnalyticsFilters = {
  by: CompareBy
  side: EnergySide
  measure: AnalyticsMeasure
  operationId: string | undefined
}

const UUID = /^[0-9a-f-]{36}$/

/** What is compared, of which operation and which side: all of it in the address, so that a link shows the same. */
function useAnalyticsFilters() {
  const [search, setSearch] = useSearchParams()
  const operation = search.get('operation') ?? ''
  const look: AnalyticsFilters = {
    by: CompareBy.catch('operations').parse(search.get('by')),
    side: search.get('side') === 'production' ? 'production' : 'consumption',
    measure: AnalyticsMeasure.catch('consumed').parse(search.get('measure')),
    operationId: UUID.test(operation) ? operation : undefined,
  }
  const change = (next: Record<string, string>) =>
    setSearch(
      (old) => {
        for (const [key, value] of Object.entries(next)) value ? old.set(key, value) : old.delete(key)
        return old
      },
      { preventScrollReset: true },
    )
  return { look, change }
}
