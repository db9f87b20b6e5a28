import { withDe } from '@voisol/contract/elision'
import { OperationStatus } from '@voisol/contract/operations'
import Download from 'lucide-react/icons/download'
import { useSearchParams } from 'react-router'
import { OPERATION_STATUS_LABELS } from '../../../lib/energy-labels.ts'
import { formatPercent } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { saveCsv } from '../../../ui/chart/download.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatProduction, ProducedCell } from '../../../ui/energy-figures/cells.tsx'
import { Link } from '../../../ui/link.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { CertaintyBadges, formatRate } from '../words.tsx'
import { buildOperationsCsv, filterAndSortRows, getMethodLabel, type OperationEnergyRow } from './model.ts'

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
export function OperationTable({ rows, chosen, onChoose }: OperationTableProps) {
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
