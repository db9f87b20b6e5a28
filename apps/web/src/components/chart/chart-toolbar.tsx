import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Maximize from 'lucide-react/icons/maximize-2'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { Pagination } from '../pagination.tsx'
import { type Column, Table } from '../table.tsx'
import { formatTableNumber } from './chart-export.ts'
import { getFullRange, isFullRange, shiftTimeRange, zoomTimeRange } from './chart-view.ts'
import {
  BEFORE_ENTRY_LABEL,
  type ChartData,
  formatBand,
  formatInstantLabel,
  formatTimeRange,
  getMarkLabel,
  isBeforeEntry,
  type Series,
  type TimeRange,
} from './series.ts'

type ToolbarProps = { span: TimeRange; times: number[]; onSpan: (span: TimeRange) => void }

export function Toolbar({ span, times, onSpan }: ToolbarProps) {
  const whole = isFullRange(span, times)
  const [first, last] = getFullRange(times)
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-1">
      <IconButton label="Zoom avant" icon={<ZoomIn />} onClick={() => onSpan(zoomTimeRange(span, 0.5, times))} />
      <IconButton
        label="Zoom arrière"
        icon={<ZoomOut />}
        disabled={whole}
        onClick={() => onSpan(zoomTimeRange(span, 2, times))}
      />
      <IconButton label="Tout afficher" icon={<Maximize />} disabled={whole} onClick={() => onSpan([first, last])} />
      <IconButton
        label="Période précédente"
        icon={<ChevronLeft />}
        disabled={span[0] <= first}
        onClick={() => onSpan(shiftTimeRange(span, -1, times))}
      />
      <IconButton
        label="Période suivante"
        icon={<ChevronRight />}
        disabled={span[1] >= last}
        onClick={() => onSpan(shiftTimeRange(span, 1, times))}
      />
      <span aria-live="polite" className="tabular px-2 text-[0.8125rem] text-ink-soft">
        {formatTimeRange(...span)}
      </span>
    </div>
  )
}

const PAGE_SIZE = 50
const formatCell = (one: Series, index: number) => {
  if (isBeforeEntry(one, index)) return BEFORE_ENTRY_LABEL
  const { values, marks } = one
  const mark = (values[index] ?? null) === null ? undefined : getMarkLabel(marks?.[index])
  return formatTableNumber(values[index]) + (mark ? ` (${mark})` : '')
}

type Line = { id: string; index: number; instant: number }

/** The same data as the curve, page by page. */
export function DataTable({ data, label }: { data: ChartData; label: string }) {
  const [page, setPage] = useState(1)
  const from = (page - 1) * PAGE_SIZE
  const lines = data.times
    .slice(from, from + PAGE_SIZE)
    .map((instant, offset) => ({ id: String(instant), index: from + offset, instant }))
  const columns: Column<Line>[] = [
    {
      header: data.timeLabel ? 'Période' : 'Date et heure',
      cell: (line) => <span className="tabular whitespace-nowrap">{formatInstantLabel(data, line.instant)}</span>,
    },
    ...data.series.flatMap((one): Column<Line>[] => [
      { header: `${one.label} (${data.unit})`, align: 'end', cell: (line) => formatCell(one, line.index) },
      ...(one.band
        ? [
            {
              header: `${one.label}, bande (${data.unit})`,
              align: 'end' as const,
              cell: (line: Line) => formatBand(one, line.index) ?? '',
            },
          ]
        : []),
    ]),
  ]
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <Table label={label} rows={lines} columns={columns} />
      {data.times.length > PAGE_SIZE && (
        <Pagination label={label} page={page} size={PAGE_SIZE} total={data.times.length} onPage={setPage} />
      )}
    </div>
  )
}
