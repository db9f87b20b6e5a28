import { useState } from 'react'
import { Pagination } from '../pagination.tsx'
import { type Column, Table } from '../table.tsx'
import { formatTableNumber } from './download.ts'
import { BEFORE_ENTRY_LABEL, formatBand, formatInstantLabel, getMarkLabel } from './text.ts'
import { type ChartData, isBeforeEntry, type Series } from './types.ts'

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
