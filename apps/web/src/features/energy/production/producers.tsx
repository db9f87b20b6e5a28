import BatteryCharging from 'lucide-react/icons/battery-charging'
import FileDown from 'lucide-react/icons/file-down'
import { useSearchParams } from 'react-router'
import { prm } from '../../../lib/energy-labels.ts'
import { energy, number, percent, plural } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { saveCsv } from '../../../ui/chart/download.ts'
import { Link } from '../../../ui/link.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { periodLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { SearchBox } from '../../../ui/search-box.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { usePointPath } from './alarms.tsx'
import { Performance } from './performance.tsx'
import { found, nameOf, type Plant, plantsCsv, sorted } from './rows.ts'

const SIZE = 50
const LABEL = 'Centrales'
const whole = (text: string) => <span className="whitespace-nowrap">{text}</span>

function Alarm({ alarms }: Plant) {
  if (alarms.length === 0) return <span className="text-ink-soft">Aucune</span>
  const grave = alarms.some(({ severity }) => severity === 'critical')
  return <Badge tone={grave ? 'danger' : 'warning'}>{plural(alarms.length, 'alarme')}</Badge>
}

const columnsFor = (pathOf: (row: Plant) => string): Column<Plant>[] => [
  {
    header: 'Centrale',
    card: 'title',
    sort: 'name',
    cell: (row) => (
      <span className="block min-w-44 py-1">
        <Link to={pathOf(row)} className="font-medium text-link">
          {nameOf(row)}
        </Link>
        {row.storage && <BatteryCharging aria-hidden="true" className="ml-1 inline size-4 text-storage" />}
        <span className="block text-[0.8125rem] text-ink-soft">{row.operationName}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{prm(row.prm)}</span>
      </span>
    ),
  },
  {
    header: 'kWc',
    card: 'none',
    sort: 'peak',
    align: 'end',
    cell: ({ peakWatts }) => (peakWatts === null ? '–' : number(peakWatts / 1000, 1)),
  },
  {
    header: 'Production',
    card: 'primary',
    sort: 'produced',
    align: 'end',
    cell: ({ produced }) => whole(energy(produced)),
  },
  {
    header: 'kWh/kWc',
    card: 'primary',
    sort: 'yield',
    align: 'end',
    cell: (row) => (row.yield === null ? '–' : number(row.yield, 1)),
  },
  {
    header: 'Performance',
    card: 'primary',
    sort: 'performance',
    cell: ({ performance, expected }) => <Performance ratio={performance} expected={expected} />,
  },
  {
    header: 'Complétude',
    card: 'primary',
    sort: 'completeness',
    align: 'end',
    cell: ({ completeness }) => (completeness === null ? '–' : percent(Math.floor(completeness * 1000) / 1000)),
  },
  { header: 'Alarmes', card: 'secondary', sort: 'alarms', cell: (row) => <Alarm {...row} /> },
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
function useTable(rows: Plant[]) {
  const [search, setSearch] = useSearchParams()
  const [q, sort, page] = [search.get('q') ?? '', search.get('sort') ?? '', Number(search.get('page') ?? 1)]
  const shown = sorted(found(rows, q), sort)
  const last = Math.max(1, Math.ceil(shown.length / SIZE))
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

export function Producers({ rows, period }: { rows: Plant[]; period: Period }) {
  const pathOf = usePointPath()
  const { q, sort, page, shown, set } = useTable(rows)
  return (
    <Card
      title={LABEL}
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
            onClick={() => saveCsv(`centrales ${periodLabel(period)}`, plantsCsv(shown))}
          >
            Exporter (CSV)
          </Button>
        </div>
        {shown.length > 0 ? (
          <Table
            label={LABEL}
            rows={shown.slice((page - 1) * SIZE, page * SIZE)}
            columns={columnsFor(pathOf)}
            sorting={{ sort, onSort: (next) => set({ sort: next }) }}
          />
        ) : (
          <p className="text-body text-ink-soft">Aucune centrale ne correspond à cette recherche.</p>
        )}
        {shown.length > SIZE && (
          <Pagination
            label={LABEL}
            page={page}
            size={SIZE}
            total={shown.length}
            onPage={(next) => set({ page: String(next) })}
          />
        )}
      </div>
    </Card>
  )
}
