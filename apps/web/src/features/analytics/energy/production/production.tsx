import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy as endpoints, energy } from '@voisol/contract/energy'
import { dayOf } from '@voisol/energy/calendar'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import CircleAlert from 'lucide-react/icons/circle-alert'
import FileDown from 'lucide-react/icons/file-down'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { saveCsv } from '../../../../components/chart/chart-export.ts'
import { cx } from '../../../../components/cx.ts'
import { EmptyState } from '../../../../components/empty-state.tsx'
import type { DisplayUnit } from '../../../../components/energy-explorer/columns.ts'
import { EnergyExplorerChart } from '../../../../components/energy-explorer/energy-chart.tsx'
import { ExplorerTools, useDrawingOptions } from '../../../../components/energy-explorer/explorer-tools.tsx'
import { useDrawingWidth } from '../../../../components/energy-explorer/use-drawing-width.ts'
import { EnergyTiles } from '../../../../components/energy-figures/energy-tiles.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { SearchBox } from '../../../../components/filter-bar.tsx'
import { Select } from '../../../../components/input.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton, TableSkeleton } from '../../../../components/loading.tsx'
import { PageHeader } from '../../../../components/page-header.tsx'
import { Pagination } from '../../../../components/pagination.tsx'
import {
  buildPeriod,
  clipToKnownDays,
  type DayRange,
  describePreviousPeriod,
  type Period,
  usePeriod,
} from '../../../../components/period/period.ts'
import { PeriodBar } from '../../../../components/period/period-bar.tsx'
import { formatPeriodLabel } from '../../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../../components/table.tsx'
import { KpiTile, Sparkline } from '../../../../components/tile.tsx'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { formatCount, formatEnergy, formatNumber, formatPercent } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { useSession } from '../../../../lib/session.ts'
import {
  buildPlantsCsv,
  computeYield,
  filterPlants,
  getPlantName,
  listOperationOptions,
  type Plant,
  sortPlants,
} from './plants.ts'
import { useProduction } from './use-production.ts'

// Below what the plants gave: it comes once that stands.
const PlantEconomies = lazy(() => import('../../../../components/plant-economy/plant-economy.tsx'))

const OPERATION_PARAM = 'operation'

const NoPlant = () => (
  <EmptyState
    title="Aucune centrale sur cette période"
    why="Les producteurs qui participent à une opération apparaissent ici, avec ce qu’ils ont produit et partagé."
    action={
      <ButtonLink variant="secondary" to="/acc-operations">
        Voir les opérations
      </ButtonLink>
    }
  />
)

/** The plants of every operation: what they gave, where it went, and which need a look. */
export default function Production() {
  const [period, setPeriod] = usePeriod('month')
  const [search, setSearch] = useSearchParams()
  const { from, to } = period
  const { data, error, refetch } = useQuery({
    ...query(energy.producers, { query: { from, to } }),
    placeholderData: keepPreviousData,
  })
  const choices = listOperationOptions(data?.items ?? [])
  const requestedOperation = search.get(OPERATION_PARAM)
  const operationId = choices.find(({ value }) => value === requestedOperation)?.value
  const rows = data?.items.filter((row) => operationId === undefined || row.operationId === operationId)
  const choose = (next: string) =>
    setSearch(
      (old) => {
        if (next) old.set(OPERATION_PARAM, next)
        else old.delete(OPERATION_PARAM)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Production"
        description="Ce que les centrales ont produit, ce qui a été partagé, et celles qui demandent un regard."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod}>
          <Select
            aria-label="Opération"
            className="sm:w-64"
            value={operationId ?? ''}
            onChange={(event) => choose(event.target.value)}
            options={[{ value: '', label: 'Toutes les opérations' }, ...choices]}
          />
        </PeriodBar>
        {rows?.length === 0 ? (
          <NoPlant />
        ) : (
          <>
            <ProductionTiles period={period} operationId={operationId} rows={rows} />
            <ProductionChart period={period} operationId={operationId} onPeriod={setPeriod} />
          </>
        )}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!rows && !error && <TableSkeleton label="Centrales" />}
        {rows && <Alarms rows={rows} />}
        {rows && rows.length > 0 && <PlantTable rows={rows} period={period} />}
        {rows && rows.length > 0 && (
          <Suspense>
            <PlantEconomies where={{ from, to, ...(operationId && { operationId }) }} />
          </Suspense>
        )}
      </div>
    </>
  )
}

type Props = { period: Period; operationId: string | undefined; rows: Plant[] | undefined }
const useEnergySummary = ({ from, to }: DayRange, operationId: string | undefined) =>
  useQuery({ ...query(endpoints.summary, { query: { from, to, operationId } }), placeholderData: keepPreviousData })

/** The last day of which something is known: the instant is the midnight that closes it. */
const getLastDay = (receivedUntil: string | null) =>
  receivedUntil === null ? null : dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)

const SHOWN_FIGURES = ['produced', 'shared', 'surplus'] as const

/** Four figures of the period. */
function ProductionTiles({ period, operationId, rows }: Props) {
  const whole = useEnergySummary(period, operationId)
  const knownPeriod = clipToKnownDays(period, getLastDay(whole.data?.receivedUntil ?? null))
  const { data, error, refetch } = useEnergySummary(knownPeriod, operationId)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const specific = computeYield(rows ?? [])
  return (
    <EnergyTiles
      summary={data}
      shown={SHOWN_FIGURES}
      before={describePreviousPeriod(period, knownPeriod)}
      className="grid-cols-1 sm:grid-cols-2 xl:grid-cols-4"
    >
      <KpiTile
        label="Productible"
        figure={specific ? `${formatNumber(specific.value, 1)}\u00a0kWh/kWc` : '–'}
        note={
          specific
            ? `Pour ${formatNumber(specific.peak / 1000, 1)}\u00a0kWc installés`
            : 'La puissance crête des centrales n’est pas renseignée.'
        }
      />
    </EnergyTiles>
  )
}

type ChartProps = { period: Period; operationId: string | undefined; onPeriod: (period: Period) => void }

const EMPTY_STATE = (
  <EmptyState
    title="Aucune production sur cette période"
    why="Aucun relevé de centrale n’a été reçu pour ces jours. Choisissez une autre période, ou importez les courbes d’une opération."
    action={
      <ButtonLink variant="secondary" to="/enedis-data">
        Importer des courbes
      </ButtonLink>
    }
  />
)

/** The production of the period: what was shared, what was left, day by day. */
function ProductionChart({ period, operationId, onPeriod }: ChartProps) {
  const drawing = useDrawingOptions(period)
  const { told, against, curve } = drawing
  const [holder, room] = useDrawingWidth()
  const view = { period, operationId, curve, told, against }
  const { summary, own, drawn, granularity, unitPrice, zoom } = useProduction(view, room)
  const shown: DisplayUnit = told === 'money' && unitPrice === null ? 'energy' : told
  return (
    <Card>
      <ExplorerTools
        period={period}
        drawing={{ ...drawing, told: shown }}
        priced={unitPrice !== null}
        selection={{ operationId, from: period.from, to: period.to, granularity }}
      />
      <div ref={holder} />
      {own.error && <ErrorState error={own.error} onRetry={own.refetch} />}
      {!drawn && !own.error && <Skeleton className="h-96 w-full" />}
      {drawn &&
        (drawn.series.some((one) => !one.compared) ? (
          <EnergyExplorerChart
            title="Production de la période"
            {...drawn}
            told={shown}
            granularity={granularity}
            curve={curve}
            zoom={zoom}
            label={formatPeriodLabel(period)}
            knownUntil={summary.data?.receivedUntil ?? undefined}
            onOpen={(day) => onPeriod(buildPeriod(granularity === 'month' ? 'month' : 'day', day))}
          />
        ) : (
          EMPTY_STATE
        ))}
    </Card>
  )
}

const PAGE_SIZE = 50
const TABLE_LABEL = 'Centrales'
const renderNoWrap = (text: string) => <span className="whitespace-nowrap">{text}</span>

function AlarmBadge({ alarms }: Plant) {
  if (alarms.length === 0) return <span className="text-ink-soft">Aucune</span>
  const grave = alarms.some(({ severity }) => severity === 'critical')
  return <Badge tone={grave ? 'danger' : 'warning'}>{formatCount(alarms.length, 'alarme')}</Badge>
}

const buildColumns = (pathOf: (row: Plant) => string): Column<Plant>[] => [
  {
    header: 'Centrale',
    card: 'title',
    sort: 'name',
    cell: (row) => (
      <span className="block min-w-44 py-1">
        <Link to={pathOf(row)} className="font-medium text-link">
          {getPlantName(row)}
        </Link>
        {row.storage && <BatteryCharging aria-hidden="true" className="ml-1 inline size-4 text-storage" />}
        <span className="block text-[0.8125rem] text-ink-soft">{row.operationName}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{formatPrm(row.prm)}</span>
      </span>
    ),
  },
  {
    header: 'kWc',
    card: 'none',
    sort: 'peak',
    align: 'end',
    cell: ({ peakWatts }) => (peakWatts === null ? '–' : formatNumber(peakWatts / 1000, 1)),
  },
  {
    header: 'Production',
    card: 'primary',
    sort: 'produced',
    align: 'end',
    cell: ({ produced }) => renderNoWrap(formatEnergy(produced)),
  },
  {
    header: 'kWh/kWc',
    card: 'primary',
    sort: 'yield',
    align: 'end',
    cell: (row) => (row.yield === null ? '–' : formatNumber(row.yield, 1)),
  },
  {
    header: 'Performance',
    card: 'primary',
    sort: 'performance',
    cell: ({ performance, expected }) => <PerformanceBar ratio={performance} expected={expected} />,
  },
  {
    header: 'Complétude',
    card: 'primary',
    sort: 'completeness',
    align: 'end',
    cell: ({ completeness }) => (completeness === null ? '–' : formatPercent(Math.floor(completeness * 1000) / 1000)),
  },
  { header: 'Alarmes', card: 'secondary', sort: 'alarms', cell: (row) => <AlarmBadge {...row} /> },
  {
    header: 'Tendance',
    card: 'none',
    cell: ({ sparkline }) => (
      <span className="block w-28">
        <Sparkline values={sparkline} color="var(--data-local)" />
      </span>
    ),
  },
]

/** Search, sort and page of the table, in the address. */
function usePlantTable(rows: Plant[]) {
  const [search, setSearch] = useSearchParams()
  const [q, sort, page] = [search.get('q') ?? '', search.get('sort') ?? '', Number(search.get('page') ?? 1)]
  const shown = sortPlants(filterPlants(rows, q), sort)
  const last = Math.max(1, Math.ceil(shown.length / PAGE_SIZE))
  const set = (change: Record<string, string>) =>
    setSearch(
      (old) => {
        for (const [key, value] of Object.entries({ page: '', ...change }))
          value ? old.set(key, value) : old.delete(key)
        return old
      },
      { preventScrollReset: true },
    )
  return { q, sort, shown, set, page: Math.min(last, Math.max(1, Math.floor(page) || 1)) }
}

function PlantTable({ rows, period }: { rows: Plant[]; period: Period }) {
  const pathOf = usePointPath()
  const { q, sort, page, shown, set } = usePlantTable(rows)
  return (
    <Card
      title={TABLE_LABEL}
      description="La performance compare la production à celle que laissent attendre le soleil et les centrales voisines."
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <div data-print="hide" className="flex flex-wrap items-center gap-3">
          <SearchBox
            label="Rechercher une centrale"
            value={q}
            onSearch={(text) => set({ q: text })}
            className="w-full sm:w-80"
          />
          <Button
            variant="secondary"
            className="sm:ml-auto"
            icon={<FileDown aria-hidden="true" />}
            onClick={() => saveCsv(`centrales ${formatPeriodLabel(period)}`, buildPlantsCsv(shown))}
          >
            Exporter (CSV)
          </Button>
        </div>
        {shown.length > 0 ? (
          <Table
            label={TABLE_LABEL}
            rows={shown.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
            columns={buildColumns(pathOf)}
            sorting={{ sort, onSort: (next) => set({ sort: next }) }}
          />
        ) : (
          <p className="text-body text-ink-soft">Aucune centrale ne correspond à cette recherche.</p>
        )}
        {shown.length > PAGE_SIZE && (
          <Pagination
            label={TABLE_LABEL}
            page={page}
            size={PAGE_SIZE}
            total={shown.length}
            onPage={(next) => set({ page: String(next) })}
          />
        )}
      </div>
    </Card>
  )
}

const SEVERITY_STYLES = {
  critical: { Icon: CircleAlert, tone: 'text-danger', words: 'Urgent' },
  warning: { Icon: TriangleAlert, tone: 'text-warning', words: 'À surveiller' },
}

const usePointPath = () => {
  const { user } = useSession()
  return ({ operationId, id }: Plant) =>
    `/companies/${user?.companyId ?? ''}/operations/${operationId}/load-curves/${id}`
}

/** The plants that need a look, the gravest first; nothing at all where all is well. */
function Alarms({ rows }: { rows: Plant[] }) {
  const pathOf = usePointPath()
  const alarms = rows
    .flatMap((row) => row.alarms.map((alarm) => ({ ...alarm, row })))
    .toSorted((a, b) => a.severity.localeCompare(b.severity) || a.since.localeCompare(b.since))
  if (alarms.length === 0) return null
  return (
    <Card title={formatCount(alarms.length, 'alarme')}>
      <ul className="grid gap-3">
        {alarms.map(({ severity, since, message, row }) => {
          const { Icon, tone, words } = SEVERITY_STYLES[severity]
          return (
            <li key={`${row.id}-${since}-${message}`} className="flex items-start gap-2 text-body">
              <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
              <span>
                <span className="sr-only">{words}&nbsp;: </span>
                <Link to={pathOf(row)} className="font-medium text-link">
                  {getPlantName(row)}
                </Link>
                <span className="text-ink-soft"> · {row.operationName}</span>
                <span className="block">{message}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const MAX_DISPLAYED_RATIO = 1.25
const getToneClass = (ratio: number) =>
  ratio >= 0.85 ? 'bg-success' : ratio >= 0.6 ? 'bg-(--data-local)' : 'bg-danger'

/** What the plant gave against what was expected of it, which the upright mark stands for. */
const PerformanceBar = ({ ratio, expected }: { ratio: number | null; expected: number | null }) =>
  ratio === null ? (
    <span className="text-ink-soft">Pas de référence</span>
  ) : (
    <span
      className="inline-flex items-center gap-2"
      title={expected === null ? undefined : `Attendu\u00a0: ${formatEnergy(expected)}`}
    >
      <span aria-hidden="true" className="relative h-2 w-20 rounded-full bg-slate-200">
        <span
          className={cx('block h-full rounded-full', getToneClass(ratio))}
          style={{ width: `${(Math.min(MAX_DISPLAYED_RATIO, ratio) / MAX_DISPLAYED_RATIO) * 100}%` }}
        />
        <span className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `${100 / MAX_DISPLAYED_RATIO}%` }} />
      </span>
      <span className="tabular">{formatPercent(ratio, 0)}</span>
    </span>
  )
