import { useState } from 'react'
import { Pagination } from '../pagination.tsx'
import { type Column, Table } from '../table.tsx'
import { tableNumber } from './download.ts'
import { BEFORE, bandText, instantLabel, markWord } from './text.ts'
import { type ChartData, isBefore, type Series } from './types.ts'

const SIZE = 50
const shown = (one: Series, index: number) => {
  if (isBefore(one, index)) return BEFORE
  const { values, marks } = one
  const mark = (values[index] ?? null) === null ? undefined : markWord(marks?.[index])
  return tableNumber(values[index]) + (mark ? ` (${mark})` : '')
}

type Line = { id: string; index: number; instant: number }

/** The same data as the curve, page by page. */
export function DataTable({ data, label }: { data: ChartData; label: string }) {
  const [page, setPage] = useState(1)
  const from = (page - 1) * SIZE
  const lines = data.times
    .slice(from, from + SIZE)
    .map((instant, offset) => ({ id: String(instant), index: from + offset, instant }))
  const columns: Column<Line>[] = [
    {
      header: data.timeLabel ? 'Période' : 'Date et heure',
      cell: (line) => <span className="tabular whitespace-nowrap">{instantLabel(data, line.instant)}</span>,
    },
    ...data.series.flatMap((one): Column<Line>[] => [
      { header: `${one.label} (${data.unit})`, align: 'end', cell: (line) => shown(one, line.index) },
      ...(one.band
        ? [
            {
              header: `${one.label}, bande (${data.unit})`,
              align: 'end' as const,
              cell: (line: Line) => bandText(one, line.index) ?? '',
            },
          ]
        : []),
    ]),
  ]
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <Table label={label} rows={lines} columns={columns} />
      {data.times.length > SIZE && (
        <Pagination label={label} page={page} size={SIZE} total={data.times.length} onPage={setPage} />
      )}
    </div>
  )
}
