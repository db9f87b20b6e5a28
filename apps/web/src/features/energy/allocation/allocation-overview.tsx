import { useQuery } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { energy, type PeriodEnergyTotals } from '@voisol/contract/energy'
import type { OperationEnergyItem } from '@voisol/contract/energy-figures'
import { OperationStatus } from '@voisol/contract/operations'
import { AllocationMethod } from '@voisol/contract/primitives'
import Download from 'lucide-react/icons/download'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { buildCsv, saveCsv } from '../../../components/chart/chart-export.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatProduction, ProducedCell } from '../../../components/energy-figures/energy-figures.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { type Period, usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { buildProductionParts } from '../../../components/stack/energy-parts.ts'
import { Headline } from '../../../components/stack/share-bar.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { ALLOCATION_METHOD_LABELS, OPERATION_STATUS_LABELS } from '../../../lib/energy-labels.ts'
import { createEnergyFormatter, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { CertaintyBadges, formatRate } from './labels.tsx'
import { getDefaultDay } from './tab-and-period.ts'

const EMPTY_STATE = (
  <EmptyState
    title="Aucune opération"
    why="La répartition d’une opération apparaît ici dès que ses courbes sont reçues."
    action={<ButtonLink to="/acc-operations/new">Nouvelle opération</ButtonLink>}
  />
)

/** How each operation shares its energy, and the flows of the one that is chosen. */
export default function AllocationOverview() {
  const [period, setPeriod] = usePeriod('month', getDefaultDay())
  const [search, setSearch] = useSearchParams()
  const { from, to } = period
  const { data, error, refetch } = useQuery(query(energy.operations, { query: { from, to } }))
  const rows = data?.items ?? []
  const chosen =
    rows.find(({ id }) => id === search.get('operation')) ?? rows.toSorted((a, b) => b.shared - a.shared)[0]
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set('operation', id)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Répartition de l’énergie"
        description="Ce que chaque opération a produit, partagé entre ses participants et laissé au réseau."
        actions={
          <ButtonLink variant="secondary" to="/member-distribution">
            Voir par membre
          </ButtonLink>
        }
      />
      <div className="grid gap-5 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod} />
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && (
          <>
            <Skeleton className="h-28 w-full" />
            <TableSkeleton label="Opérations" />
          </>
        )}
        {data && rows.length === 0 && EMPTY_STATE}
        {data && rows.length > 0 && (
          <>
            <AllFigures total={data.total} />
            <OperationTable rows={rows} chosen={chosen?.id} onChoose={choose} />
            {chosen && <SelectedOperation operation={chosen} period={period} />}
          </>
        )}
      </div>
    </>
  )
}

/** All operations together, in the one figure that says how well the sun is used. */
function AllFigures({ total }: { total: PeriodEnergyTotals }) {
  const { produced, shared, pendingProduced, selfConsumption, selfProduction, storage } = total
  const energy = createEnergyFormatter([produced])
  const rest =
    pendingProduced > 0
      ? ` ${energy(pendingProduced)} ne sont pas encore répartis\u00a0: les taux portent sur le reste.`
      : ''
  return (
    <Headline
      label="Autoconsommation, toutes opérations"
      figure={formatRate(selfConsumption)}
      sentence={
        produced > 0
          ? `Vos opérations ont produit ${energy(produced)}. ${storage ? `Les participants en ont consommé ou stocké ${energy(shared)}\u00a0; l’énergie locale couvre` : `Les participants en ont consommé ${energy(shared)}, ce qui couvre`} ${formatRate(selfProduction)} de leurs besoins.${rest}`
          : 'Aucune production n’a été relevée sur cette période.'
      }
      parts={buildProductionParts(total)}
    />
  )
}

const FlowCard = lazy(async () => ({ default: (await import('./flow-card.tsx')).FlowCard }))

/** The flows of one operation under the table of all. */
function SelectedOperation({
  operation: { id, name, shared, surplus },
  period,
}: {
  operation: OperationEnergyRow
  period: Period
}) {
  const { unit, from, to } = period
  const open = `/acc-operations/${id}/energy-distribution?${new URLSearchParams({ unit, from, to })}`
  if (shared + surplus === 0)
    return (
      <Card title={name}>
        <EmptyState
          title="Pas encore réparti"
          why="Aucun calcul ne couvre cette période pour cette opération."
          action={<ButtonLink to={open}>Ouvrir sa répartition</ButtonLink>}
        />
      </Card>
    )
  return (
    <section aria-label={`Échanges ${withDe(name)}`} className="grid gap-3 [&>*]:min-w-0">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <FlowCard where={{ operationId: id }} period={period} title={`Qui a reçu quoi, ${name}`} />
      </Suspense>
      <div>
        <ButtonLink variant="secondary" to={open}>
          Ouvrir la répartition de {name}
        </ButtonLink>
      </div>
    </section>
  )
}

const getStatusLabel = (status: string) => {
  const known = OperationStatus.safeParse(status).data
  return known ? OPERATION_STATUS_LABELS[known].label : status
}
const describeCompleteness = ({ completeness }: OperationEnergyRow) =>
  completeness === null
    ? 'Aucun relevé attendu'
    : `${formatPercent(Math.floor(completeness * 1000) / 1000)} des relevés`

const buildColumns = (chosen: string | undefined, onChoose: (id: string) => void): Column<OperationEnergyRow>[] => [
  {
    header: 'Opération',
    sort: 'name',
    cell: ({ id, name, status, method }) => (
      <span className="block min-w-40 py-1.5">
        <Link to={`/acc-operations/${id}/energy-distribution`} className="font-medium text-link">
          {name}
        </Link>
        <span className="block text-[0.8125rem] text-ink-soft">
          {getMethodLabel(method)}
          <span className="block">{getStatusLabel(status)}</span>
        </span>
      </span>
    ),
  },
  {
    header: 'Chiffres',
    cell: (row) => (
      <span className="grid justify-items-start gap-1 py-1.5">
        <CertaintyBadges stale={row.stale} definitive={row.definitive} allocated={row.shared + row.surplus > 0} />
        <span className="text-[0.8125rem] whitespace-nowrap text-ink-soft">{describeCompleteness(row)}</span>
      </span>
    ),
  },
  { header: 'Production', sort: 'produced', align: 'end', cell: (row) => <ProducedCell row={row} /> },
  { header: 'Partagé', sort: 'shared', align: 'end', cell: (row) => formatProduction(row).shared },
  { header: 'Surplus', sort: 'surplus', align: 'end', cell: (row) => formatProduction(row).surplus },
  { header: 'Autoconsommation', sort: 'selfConsumption', align: 'end', cell: (row) => formatRate(row.selfConsumption) },
  { header: 'Autoproduction', sort: 'selfProduction', align: 'end', cell: (row) => formatRate(row.selfProduction) },
  {
    header: 'Échanges',
    cell: ({ id, name }) => (
      <Button
        variant="secondary"
        size="small"
        aria-pressed={id === chosen}
        aria-label={`Voir les échanges ${withDe(name)}`}
        className={id === chosen ? 'border-primary-ink bg-primary-soft text-primary-ink' : undefined}
        onClick={() => onChoose(id)}
      >
        Voir
      </Button>
    ),
  },
]

type OperationTableProps = { rows: OperationEnergyRow[]; chosen: string | undefined; onChoose: (id: string) => void }

/** Search and order in the address, as in every list; there are few enough operations for one page. */
function OperationTable({ rows, chosen, onChoose }: OperationTableProps) {
  const [search, setSearch] = useSearchParams()
  const [searchText, sort] = [search.get('q') ?? '', search.get('sort') ?? 'name']
  const set = (name: string, value: string) =>
    setSearch(
      (old) => {
        if (value) old.set(name, value)
        else old.delete(name)
        return old
      },
      { preventScrollReset: true },
    )
  const visibleRows = filterAndSortRows(rows, searchText, sort)
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div data-print="hide" className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Rechercher une opération"
          value={searchText}
          onSearch={(text) => set('q', text)}
          className="w-full sm:w-80"
        />
        <Button
          variant="secondary"
          className="sm:ml-auto"
          icon={<Download aria-hidden="true" />}
          onClick={() => saveCsv('repartition-par-operation', buildOperationsCsv(visibleRows))}
        >
          Exporter en CSV
        </Button>
      </div>
      {visibleRows.length > 0 ? (
        <Table
          label="Répartition par opération"
          rows={visibleRows}
          columns={buildColumns(chosen, onChoose)}
          sorting={{ sort, onSort: (next) => set('sort', next) }}
        />
      ) : (
        <EmptyState
          title="Aucun résultat"
          why="Aucune opération ne correspond à cette recherche."
          action={
            <Button variant="secondary" onClick={() => set('q', '')}>
              Effacer la recherche
            </Button>
          }
        />
      )}
    </div>
  )
}

type OperationEnergyRow = z.infer<typeof OperationEnergyItem>

const getMethodLabel = (method: string | null) => {
  const known = AllocationMethod.safeParse(method).data
  return known ? ALLOCATION_METHOD_LABELS[known].label : 'Aucune clé'
}

const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const SORT_VALUES = {
  name: ({ name }) => foldText(name),
  produced: ({ produced }) => produced,
  shared: ({ shared }) => shared,
  surplus: ({ surplus }) => surplus,
  selfConsumption: ({ selfConsumption }) => selfConsumption,
  selfProduction: ({ selfProduction }) => selfProduction,
} satisfies Record<string, (row: OperationEnergyRow) => string | number | null>
const isSortName = (name: string): name is keyof typeof SORT_VALUES => Object.hasOwn(SORT_VALUES, name)

/** The rows that hold every word, in the order asked for; what is not known comes last. */
function filterAndSortRows(rows: OperationEnergyRow[], searchText: string, sort: string): OperationEnergyRow[] {
  const name = sort.replace(/^-/, '')
  const value: (row: OperationEnergyRow) => string | number | null = isSortName(name)
    ? SORT_VALUES[name]
    : SORT_VALUES.name
  const down = sort.startsWith('-') ? -1 : 1
  const searchWords = foldText(searchText).split(/\s+/).filter(Boolean)
  return rows
    .filter((row) => searchWords.every((word) => foldText(`${row.name} ${getMethodLabel(row.method)}`).includes(word)))
    .toSorted((one, other) => {
      const [a, b] = [value(one), value(other)]
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a === b ? 0 : a < b ? -down : down
    })
}

const formatCsvKwh = (wh: number) => String(Math.round(wh) / 1000).replace('.', ',')
const formatCsvRatio = (value: number | null) =>
  value === null ? '' : String(Math.round(value * 1e4) / 1e4).replace('.', ',')

const buildOperationsCsv = (rows: OperationEnergyRow[]) =>
  buildCsv([
    [
      'Opération',
      'Méthode',
      'Production (kWh)',
      'Énergie partagée (kWh)',
      'Surplus (kWh)',
      'Pas encore réparti (kWh)',
      'Consommation (kWh)',
      'Taux d’autoconsommation',
      'Taux d’autoproduction',
    ],
    ...rows.map((row) => [
      row.name,
      getMethodLabel(row.method),
      ...[row.produced, row.shared, row.surplus, row.pendingProduced, row.consumed].map(formatCsvKwh),
      formatCsvRatio(row.selfConsumption),
      formatCsvRatio(row.selfProduction),
    ]),
  ])
