import { useState } from 'react'
import { formatEnergy } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { buildCsv, saveCsv } from '../chart/download.ts'
import { ChartFrame } from '../chart/frame.tsx'
import { Pagination } from '../pagination.tsx'
import { formatLongDay } from '../period/label.ts'
import { type Column, Table } from '../table.tsx'
import { HeatCanvas } from './heat-canvas.tsx'
import {
  describeCell,
  describeHeatMap,
  findPeakValue,
  getShade,
  type HeatCell,
  type HeatData,
  type Hue,
} from './model.ts'

const PAGE_SIZE = 31
type Line = { id: string; hours: (number | null)[] }

function HeatTable({ data, label, format }: { data: HeatData; label: string; format: (value: number) => string }) {
  const [page, setPage] = useState(1)
  const from = (page - 1) * PAGE_SIZE
  const rows = data.days
    .slice(from, from + PAGE_SIZE)
    .map((id, at): Line => ({ id, hours: data.hours[from + at] ?? [] }))
  const columns: Column<Line>[] = [
    { header: 'Jour', cell: (line) => <span className="whitespace-nowrap">{formatLongDay(line.id)}</span> },
    ...Array.from({ length: 24 }, (_, hour): Column<Line> => {
      const text = (value: number | null) => (value === null ? 'manquant' : format(value))
      return {
        header: `${hour}\u00a0h`,
        align: 'end',
        cell: (line) => <span className="whitespace-nowrap">{text(line.hours[hour] ?? null)}</span>,
      }
    }),
  ]
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <Table label={label} rows={rows} columns={columns} />
      {data.days.length > PAGE_SIZE && (
        <Pagination label={label} page={page} size={PAGE_SIZE} total={data.days.length} onPage={setPage} />
      )}
    </div>
  )
}

const buildHeatMapCsv = ({ days, hours }: HeatData) =>
  buildCsv([
    ['Jour', ...Array.from({ length: 24 }, (_, hour) => `${hour} h`)],
    ...days.map((day, at) => [
      day,
      ...(hours[at] ?? []).map((value) => (value === null ? '' : String(value).replace('.', ','))),
    ]),
  ])

const ColourScale = ({ hue, peak, format }: { hue: Hue; peak: number; format: (value: number) => string }) => (
  <div className="tabular flex items-center gap-2 text-[0.8125rem] text-ink-soft">
    <span>0</span>
    <span
      aria-hidden="true"
      className="h-3 w-28 rounded-full"
      style={{ background: `linear-gradient(90deg, ${getShade(hue, 0)}, ${getShade(hue, 0.5)}, ${getShade(hue, 1)})` }}
    />
    <span>{format(peak)}</span>
    <span aria-hidden="true" className="hatch-missing ml-3 h-3 w-5 rounded-xs border border-line-strong" />
    <span>Manquant</span>
  </div>
)

type HeatMapProps = { title: string; data: HeatData; hue?: Hue; format?: (value: number) => string }

/** Hour by day for a month or a year: habits and seasons at a glance. Keep `data` stable between renders. */
export function HeatMap({ title, data, hue = 'amber', format = formatEnergy }: HeatMapProps) {
  const [cell, setCell] = useState<HeatCell | null>(null)
  const activeCell = cell && data.days[cell.day] !== undefined ? cell : null
  return (
    <ChartFrame
      title={title}
      summary={describeHeatMap(data, format)}
      drawing={
        <div className="grid gap-3 [&>*]:min-w-0">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
            <p aria-live="polite" className="tabular min-h-5 text-[0.8125rem] first-letter:uppercase">
              {activeCell
                ? describeCell(data, activeCell, format)
                : `${formatLongDay(data.days[0] ?? '1970-01-01')} – ${formatLongDay(data.days.at(-1) ?? '1970-01-01')}`}
            </p>
            <ColourScale hue={hue} peak={findPeakValue(data)} format={format} />
          </div>
          <HeatCanvas data={data} hue={hue} label={title} cell={activeCell} onCell={setCell} format={format} />
        </div>
      }
      table={<HeatTable data={data} label={title} format={format} />}
      downloads={
        <Button variant="secondary" size="small" onClick={() => saveCsv(title, buildHeatMapCsv(data))}>
          Données (CSV)
        </Button>
      }
    />
  )
}
