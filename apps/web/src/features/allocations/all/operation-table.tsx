import { of } from '@voisol/contract/elision'
import { OperationStatus } from '@voisol/contract/operations'
import Download from 'lucide-react/icons/download'
import { useSearchParams } from 'react-router'
import { OPERATION_STATUSES } from '../../../lib/energy-labels.ts'
import { percent } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { saveCsv } from '../../../ui/chart/download.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { energiesOf, ProducedCell } from '../../../ui/energy-figures/cells.tsx'
import { Link } from '../../../ui/link.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { Certainty, rate } from '../words.tsx'
import { methodLabel, operationsCsv, type Row, shownRows } from './model.ts'

const statusLabel = (status: string) => {
  const known = OperationStatus.safeParse(status).data
  return known ? OPERATION_STATUSES[known].label : status
}
const data = ({ completeness }: Row) =>
  completeness === null ? 'Aucun relevé attendu' : `${percent(Math.floor(completeness * 1000) / 1000)} des relevés`

const columnsOf = (chosen: string | undefined, onChoose: (id: string) => void): Column<Row>[] => [
  {
    header: 'Opération',
    sort: 'name',
    cell: ({ id, name, status, method }) => (
      <span className="block min-w-40 py-1.5">
        <Link to={`/acc-operations/${id}/energy-distribution`} className="font-medium text-link">
          {name}
        </Link>
        <span className="block text-[0.8125rem] text-ink-soft">
          {methodLabel(method)}
          <span className="block">{statusLabel(status)}</span>
        </span>
      </span>
    ),
  },
  {
    header: 'Chiffres',
    cell: (row) => (
      <span className="grid justify-items-start gap-1 py-1.5">
        <Certainty stale={row.stale} definitive={row.definitive} allocated={row.shared + row.surplus > 0} />
        <span className="text-[0.8125rem] whitespace-nowrap text-ink-soft">{data(row)}</span>
      </span>
    ),
  },
  { header: 'Production', sort: 'produced', align: 'end', cell: (row) => <ProducedCell row={row} /> },
  { header: 'Partagé', sort: 'shared', align: 'end', cell: (row) => energiesOf(row).shared },
  { header: 'Surplus', sort: 'surplus', align: 'end', cell: (row) => energiesOf(row).surplus },
  { header: 'Autoconsommation', sort: 'selfConsumption', align: 'end', cell: (row) => rate(row.selfConsumption) },
  { header: 'Autoproduction', sort: 'selfProduction', align: 'end', cell: (row) => rate(row.selfProduction) },
  {
    header: 'Échanges',
    cell: ({ id, name }) => (
      <Button
        variant="secondary"
        size="small"
        aria-pressed={id === chosen}
        aria-label={`Voir les échanges ${of(name)}`}
        className={id === chosen ? 'border-primary-ink bg-primary-soft text-primary-ink' : undefined}
        onClick={() => onChoose(id)}
      >
        Voir
      </Button>
    ),
  },
]

type OperationTableProps = { rows: Row[]; chosen: string | undefined; onChoose: (id: string) => void }

/** Search and order in the address, as in every list; there are few enough operations for one page. */
export function OperationTable({ rows, chosen, onChoose }: OperationTableProps) {
  const [search, setSearch] = useSearchParams()
  const [words, sort] = [search.get('q') ?? '', search.get('sort') ?? 'name']
  const set = (name: string, value: string) =>
    setSearch(
      (old) => {
        if (value) old.set(name, value)
        else old.delete(name)
        return old
      },
      { preventScrollReset: true },
    )
  const shown = shownRows(rows, words, sort)
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div data-print="hide" className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Rechercher une opération"
          value={words}
          onSearch={(text) => set('q', text)}
          className="w-full sm:w-80"
        />
        <Button
          variant="secondary"
          className="sm:ml-auto"
          icon={<Download aria-hidden="true" />}
          onClick={() => saveCsv('repartition-par-operation', operationsCsv(shown))}
        >
          Exporter en CSV
        </Button>
      </div>
      {shown.length > 0 ? (
        <Table
          label="Répartition par opération"
          rows={shown}
          columns={columnsOf(chosen, onChoose)}
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
