import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { formatEnergy } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { buildCsv, saveCsv } from '../chart/chart-export.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { createHatchFill } from '../chart/fill.tsx'
import { Pagination } from '../pagination.tsx'
import { formatLongDay, formatShortMonth } from '../period/period-labels.ts'
import { type Column, Table } from '../table.tsx'
import { useWidth } from '../use-width.ts'
import {
  describeCell,
  describeHeatMap,
  getShade,
  type HeatCell,
  type HeatData,
  type Hue,
  moveCell,
} from './heat-map-model.ts'

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

function findPeakValue({ hours }: HeatData) {
  let peak = 0
  for (const day of hours) for (const value of day) if (value !== null && value > peak) peak = value
  return peak
}

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

type HeatCanvasProps = {
  data: HeatData
  hue: Hue
  label: string
  cell: HeatCell | null
  onCell: (cell: HeatCell | null) => void
  format: (value: number) => string
}

const MIN_TICK_WIDTH = 36
const LABELLED_HOURS = [0, 6, 12, 18]

/** Months under a year, days of the month under a month. */
function buildDayTicks(days: string[], width: number) {
  const long = days.length > 62
  const ticks = days.flatMap((day, at) => {
    const date = Number(day.slice(8))
    if (long) return date === 1 ? [{ at, label: formatShortMonth(day) }] : []
    return at % 5 === 0 ? [{ at, label: String(date) }] : []
  })
  const every = Math.max(1, Math.ceil((ticks.length * MIN_TICK_WIDTH) / width))
  return ticks.filter((_, index) => index % every === 0)
}

/** Days across, hours down; the arrow keys walk it cell by cell. */
function HeatCanvas({ data, hue, label, cell, onCell, format }: HeatCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [container, width] = useWidth<HTMLDivElement>(640)
  const count = data.days.length
  useEffect(() => {
    if (canvas.current && width > 0) drawHeatMap(canvas.current, data, hue, cell)
  }, [data, hue, cell, width])
  const onPointerMove = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    const day = Math.floor(((event.clientX - box.left) / box.width) * count)
    const hour = Math.floor(((event.clientY - box.top) / box.height) * 24)
    if (data.days[day] !== undefined && hour >= 0 && hour < 24) onCell({ day, hour })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? null : moveCell(cell ?? { day: 0, hour: 12 }, event.key, count)
    if (event.key !== 'Escape' && !next) return
    event.preventDefault()
    onCell(next)
  }
  return (
    <div className="grid grid-cols-[2.25rem_minmax(0,1fr)]">
      <div aria-hidden="true" className="tabular relative h-60 text-[12px] text-ink-soft">
        {LABELLED_HOURS.map((hour) => (
          <span key={hour} className="absolute right-2" style={{ top: `${(hour / 24) * 100}%` }}>
            {hour}&nbsp;h
          </span>
        ))}
      </div>
      <div ref={container} className="min-w-0 overflow-hidden">
        <div
          role="application"
          aria-roledescription="carte des heures et des jours"
          aria-label={`${label}. Flèches pour aller d’une heure ou d’un jour à l’autre. ${cell ? describeCell(data, cell, format) : ''}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the cursor of the drawing
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => onCell(null)}
          className="h-60 focus-visible:-outline-offset-2"
        >
          <canvas ref={canvas} className="block size-full" />
        </div>
        <div aria-hidden="true" className="tabular relative mt-1 h-5 text-[12px] text-ink-soft">
          {buildDayTicks(data.days, width).map(({ at, label: tick }) => (
            <span key={at} className="absolute" style={{ left: `${(at / count) * 100}%` }}>
              {tick}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

/** All cells at the resolution of the screen; a hole is hatched, the cursor framed. */
function drawHeatMap(canvas: HTMLCanvasElement, data: HeatData, hue: Hue, cursor: HeatCell | null) {
  const context = canvas.getContext('2d')
  if (!context) return
  const ratio = devicePixelRatio
  canvas.width = Math.round(canvas.clientWidth * ratio)
  canvas.height = Math.round(canvas.clientHeight * ratio)
  const peak = findPeakValue(data) || 1
  const missing = createHatchFill(context)
  // Whole pixels, so that no seam shows between two cells.
  const x = (day: number) => Math.round((day / data.days.length) * canvas.width)
  const y = (hour: number) => Math.round((hour / 24) * canvas.height)
  const gap = canvas.width / data.days.length > 6 * ratio ? ratio : 0
  data.hours.forEach((hours, day) => {
    for (let hour = 0; hour < 24; hour++) {
      const value = hours[hour] ?? null
      context.fillStyle = value === null ? missing : getShade(hue, value / peak)
      context.fillRect(x(day), y(hour), x(day + 1) - x(day) - gap, y(hour + 1) - y(hour) - gap)
    }
  })
  if (!cursor) return
  const [left, top] = [x(cursor.day), y(cursor.hour)]
  const size = [Math.max(4 * ratio, x(cursor.day + 1) - left), y(cursor.hour + 1) - top] as const
  context.lineWidth = 2 * ratio
  context.strokeStyle = '#FFFFFF'
  context.strokeRect(left - ratio, top - ratio, size[0] + 2 * ratio, size[1] + 2 * ratio)
  context.strokeStyle = '#0F172A'
  context.strokeRect(left, top, size[0], size[1])
}
