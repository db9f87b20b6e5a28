import BatteryCharging from 'lucide-react/icons/battery-charging'
import FileDown from 'lucide-react/icons/file-down'
import { useSearchParams } from 'react-router'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { formatCount, formatEnergy, formatNumber, formatPercent } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { saveCsv } from '../../../ui/chart/download.ts'
import { Link } from '../../../ui/link.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { SearchBox } from '../../../ui/search-box.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { usePointPath } from './alarms.tsx'
import { PerformanceBar } from './performance.tsx'
import { buildPlantsCsv, filterPlants, getPlantName, type Plant, sortPlants } from './rows.ts'

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

export function PlantTable({ rows, period }: { rows: Plant[]; period: Period }) {
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
