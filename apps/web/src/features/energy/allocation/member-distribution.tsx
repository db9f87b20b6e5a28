import { useQuery } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { energy as api, type EnergySummary } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { type Point, points } from '@voisol/contract/points'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { MeterSideLabel } from '../../../components/energy-cells.tsx'
import { EnergyExplorer } from '../../../components/energy-explorer/energy-explorer.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { type Period, usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { formatPeriodLabel } from '../../../components/period/period-labels.ts'
import {
  buildBatteryParts,
  buildConsumptionParts,
  buildProductionParts,
} from '../../../components/stack/energy-parts.ts'
import { Headline, ShareBar } from '../../../components/stack/share-bar.tsx'
import type { Column } from '../../../components/table.tsx'
import {
  DIRECTION_LABELS,
  formatPointName,
  formatPrm,
  getMeterSideLabel,
  toChoices,
} from '../../../lib/energy-labels.ts'
import { formatEnergy, formatMoney, formatPercent } from '../../../lib/format.ts'
import { useOpenName } from '../../../lib/object-names.ts'
import { query, useList } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'
import { formatRate } from './labels.tsx'
import { buildEnergyColumns, buildMemberParts, type MemberEnergyRow } from './result/point-table.tsx'
import { getDefaultDay, useStartingPeriod } from './tab-and-period.ts'

/** Energy by member: the list, or one of them. */
export default function MemberDistribution() {
  const [search] = useSearchParams()
  const open = search.get('membre')
  if (open) return <MemberDetail key={open} pointId={open} />
  return (
    <>
      <PageHeader
        title="Répartition par membre"
        description="Ce que chaque participant a consommé ou produit, et la part qui est restée locale."
      />
      <MemberList />
    </>
  )
}

const FlowCard = lazy(async () => ({ default: (await import('./flow-card.tsx')).FlowCard }))

const formatNeighbourAverage = ({ neighbours: others }: EnergySummary) =>
  others ? ` La moyenne des autres membres est de ${formatPercent(others.selfProduction)}.` : ''
const formatValueClause = ({ current }: EnergySummary) =>
  current.valueCents === null ? '' : `, soit ${formatMoney(current.valueCents)} hors taxes`

function BatteryHeadline({ point, summary }: { point: Point; summary: EnergySummary }) {
  const { current } = summary
  return point.direction === 'production' ? (
    <Headline
      label="Part de la décharge affectée"
      figure={formatRate(current.selfConsumption)}
      sentence={`${formatEnergy(current.produced)} restitués, ${formatEnergy(current.shared)} consommés par les voisins${formatValueClause(summary)}.`}
      parts={buildBatteryParts(point.direction, {
        local: current.shared,
        rest: current.surplus,
        pending: current.pendingProduced,
      })}
    />
  ) : (
    <Headline
      label="Part locale de la charge"
      figure={formatRate(current.selfProduction)}
      sentence={`${formatEnergy(current.consumed)} chargés, ${formatEnergy(current.allocated)} venus de l’opération.`}
      parts={buildBatteryParts(point.direction, {
        local: current.allocated,
        rest: current.complement,
        pending: current.pendingConsumed,
      })}
    />
  )
}

/** The answer first: how much of what this member drew or made stayed here. */
function MemberHeadline({ point, summary }: { point: Point; summary: EnergySummary }) {
  const { current } = summary
  if (point.storage) return <BatteryHeadline point={point} summary={summary} />
  return point.direction === 'production' ? (
    <Headline
      label="Part de la production partagée"
      figure={formatRate(current.selfConsumption)}
      sentence={`${formatEnergy(current.produced)} produits, ${formatEnergy(current.shared)} consommés par les voisins${formatValueClause(summary)}.`}
      parts={buildProductionParts(current)}
    />
  ) : (
    <Headline
      label="Part locale de la consommation"
      figure={formatRate(current.selfProduction)}
      sentence={`${formatEnergy(current.consumed)} consommés, ${formatEnergy(current.allocated)} venus de l’opération${formatValueClause(summary)}.${formatNeighbourAverage(summary)}`}
      parts={buildConsumptionParts(current)}
    />
  )
}

function useBackLink() {
  const [search] = useSearchParams()
  const params = new URLSearchParams(search)
  for (const name of ['membre', 'dans']) params.delete(name)
  return `/member-distribution?${params}`
}

/** One member through time, with whom energy was shared. */
function MemberDetail({ pointId }: { pointId: string }) {
  const [search] = useSearchParams()
  const isReady = useStartingPeriod(null)
  const [period] = usePeriod('month')
  const operationId = search.get('dans') ?? undefined
  const back = useBackLink()
  const { companyId } = useUser()
  const { data: point, error, refetch } = useQuery(query(points.get, { params: { id: pointId } }))
  const { data: operation } = useQuery({
    ...query(operations.get, { params: { id: operationId ?? '' } }),
    enabled: operationId !== undefined,
  })
  const where = { pointId, operationId }
  const name = point ? formatPointName(point) : 'Membre'
  const open = new URLSearchParams({ membre: pointId, ...(operationId && { dans: operationId }) })
  useOpenName(point && name, 'Répartition d’un membre', `/member-distribution?${open}`)
  return (
    <>
      <PageHeader
        title={name}
        description={
          point && [getMeterSideLabel(point), formatPrm(point.prm), operation?.name].filter(Boolean).join(' · ')
        }
        actions={
          <>
            <ButtonLink variant="secondary" icon={<ArrowLeft aria-hidden="true" />} to={back}>
              Tous les membres
            </ButtonLink>
            {operationId && (
              <ButtonLink
                variant="secondary"
                to={`/companies/${companyId}/operations/${operationId}/load-curves/${pointId}`}
              >
                Voir sa courbe
              </ButtonLink>
            )}
          </>
        }
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!(point && isReady) && !error && <Skeleton className="h-96 w-full" />}
      {point && isReady && (
        <div className="grid gap-5 [&>*]:min-w-0">
          <EnergyExplorer title={`Énergie ${withDe(name)}`} where={where} unitPrice={operation?.unitPrice ?? null}>
            {({ summary: { data } }) =>
              data ? <MemberHeadline point={point} summary={data} /> : <Skeleton className="h-32 w-full" />
            }
          </EnergyExplorer>
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <FlowCard where={where} period={period} title="D’où vient et où va l’énergie" />
          </Suspense>
        </div>
      )}
    </>
  )
}

/** A point may be held by two people in turn: a row is a holder and a point in an operation. */
type MemberListRow = MemberEnergyRow & { pointId: string }
const getRowKey = (row: MemberEnergyRow) => `${row.operationId} ${row.participantId} ${row.id}`

/** The same list with one member open: the period and the filters stay for the way back. */
function useMemberLink({ unit, from, to }: Period) {
  const [search] = useSearchParams()
  return ({ pointId, operationId }: MemberListRow) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), unit, from, to, membre: pointId, dans: operationId })}`
}

const buildColumns = (link: (row: MemberListRow) => string, period: Period): Column<MemberListRow>[] => [
  {
    header: 'Membre',
    card: 'title',
    sort: 'name',
    cell: (row) => (
      <span className="block min-w-36 py-1">
        <Link to={link(row)} className="font-medium text-link">
          {row.name}
        </Link>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{formatPrm(row.prm)}</span>
      </span>
    ),
  },
  {
    header: 'Opération',
    card: 'secondary',
    sort: 'operationName',
    cell: ({ operationName, direction, storage }) => (
      <span className="block min-w-36">
        {operationName}
        <span className="block text-[0.8125rem] text-ink-soft">
          <MeterSideLabel direction={direction} storage={storage} />
        </span>
      </span>
    ),
  },
  ...buildEnergyColumns(period),
]

function OperationFilter({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) {
  const { data } = useQuery(query(operations.list, { query: { size: 100 } }))
  return (
    <Select
      aria-label="Opération"
      className="sm:w-56"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">Toutes les opérations</option>
      {data?.items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

function MemberList() {
  const [period, setPeriod] = usePeriod('month', getDefaultDay())
  const { from, to } = period
  const list = useList(api.members, { from, to })
  const link = useMemberLink(period)
  // Kept whole, so that members of several pages can be held side by side.
  const [compared, setCompared] = useState<MemberEnergyRow[]>([])
  const rows = list.items.map((row): MemberListRow => ({ ...row, pointId: row.id, id: getRowKey(row) }))
  const choose = (ids: ReadonlySet<string>) => {
    const stillCompared = compared.filter((row) => ids.has(getRowKey(row)))
    const added = list.items.filter(
      (row) => ids.has(getRowKey(row)) && !stillCompared.some((one) => getRowKey(one) === getRowKey(row)),
    )
    setCompared([...stillCompared, ...added])
  }
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar
        period={period}
        onChange={(next) => {
          setPeriod(next)
          setCompared([])
        }}
      />
      <ListScreen
        list={{ ...list, items: rows }}
        label="Répartition par membre"
        search="Rechercher un nom, un PRM, une opération"
        columns={buildColumns(link, period)}
        selection={{
          ids: new Set(compared.map(getRowKey)),
          onChange: choose,
          label: ({ name }) => name,
          actions: <span className="text-body">Comparaison sous le tableau</span>,
        }}
        filters={
          <>
            <OperationFilter
              value={list.filters.operationId}
              onChange={(operationId) => list.setFilters({ operationId })}
            />
            <FilterChips
              label="Sens"
              options={toChoices(DIRECTION_LABELS)}
              value={list.filters.direction}
              onChange={(direction) => list.setFilters({ direction })}
            />
          </>
        }
        exports={
          <ExportMenu
            endpoint={api.membersExport}
            input={(format) => ({ query: { ...list.filters, from, to, format: toTableFormat(format) } })}
          />
        }
        empty={
          <EmptyState
            title="Aucun membre sur cette période"
            why="Personne ne participe à une opération à ces dates."
            action={
              <ButtonLink variant="secondary" to="/acc-operations">
                Voir les opérations
              </ButtonLink>
            }
          />
        }
      />
      {compared.length > 1 && <MemberComparison rows={compared} period={period} />}
      {compared.length < 2 && list.total > 1 && (
        <p className="text-[0.8125rem] text-ink-soft">Cochez deux membres ou plus pour les comparer.</p>
      )}
    </div>
  )
}

const describeExtremes = (rows: MemberEnergyRow[]) => {
  const knownRows = rows.filter((row) => row.rate !== null).toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const [best, least] = [knownRows[0], knownRows.at(-1)]
  if (!best || !least || best === least) return 'Pas assez de chiffres pour comparer ces membres.'
  return `Le taux le plus haut est celui ${withDe(best.name)} (${formatRate(best.rate)}), le plus bas celui ${withDe(least.name)} (${formatRate(least.rate)}).`
}

/** Members side by side, each bar as long as what the member drew or injected. */
function MemberComparison({ rows, period }: { rows: MemberEnergyRow[]; period: Period }) {
  const most = Math.max(1, ...rows.map(({ total }) => total))
  return (
    <Card title={`Comparaison, ${formatPeriodLabel(period)}`} description={describeExtremes(rows)}>
      <ul className="grid gap-4">
        {rows.map((row) => (
          <li
            key={`${row.operationId} ${row.participantId} ${row.id}`}
            className="grid gap-x-4 gap-y-1 sm:grid-cols-[12rem_minmax(0,1fr)_13rem] lg:grid-cols-[18rem_minmax(0,1fr)_13rem] sm:items-center"
          >
            <span className="min-w-0 text-body">
              <span className="block font-medium">{row.name}</span>
              <span className="block text-[0.8125rem] text-ink-soft">
                <MeterSideLabel direction={row.direction} storage={row.storage} /> · {row.operationName}
              </span>
            </span>
            <ShareBar parts={buildMemberParts(row)} className="h-5" scale={row.total / most} />
            <span className="tabular text-body sm:text-right">
              {formatEnergy(row.local)} sur {formatEnergy(row.total)}
              <span className="block text-[0.8125rem] text-ink-soft">{formatRate(row.rate)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
