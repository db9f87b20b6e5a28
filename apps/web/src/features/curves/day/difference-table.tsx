import { useState } from 'react'
import { formatCount, formatEnergy, formatPower, formatTime } from '../../../lib/format.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import type { CurveVersion } from '../labels.ts'
import type { StepChange } from './difference.ts'

const PAGE_SIZE = 12
const formatWatts = (value: number | null) => (value === null ? 'manquant' : formatPower(value))
const formatSigned = (text: string, value: number) => (value > 0 ? `+${text}` : text.replace(/^-/, '\u2212'))
const formatChange = ({ before, after }: StepChange) =>
  before === null || after === null ? '–' : formatSigned(formatPower(after - before), after - before)

type Props = { changes: StepChange[]; from: CurveVersion; to: CurveVersion; startsAt: number; step: number }

/** The steps that the later version says otherwise, and they alone. */
export function DifferenceTable({ changes, from, to, startsAt, step }: Props) {
  const [page, setPage] = useState(1)
  const label = `Différences entre les versions ${from.version} et ${to.version}`
  const columns: Column<StepChange & { id: string }>[] = [
    {
      header: 'Heure',
      cell: ({ at }) => <span className="tabular">{formatTime((startsAt + at * step) * 60_000)}</span>,
    },
    { header: `Version ${from.version}`, align: 'end', cell: ({ before }) => formatWatts(before) },
    { header: `Version ${to.version}`, align: 'end', cell: ({ after }) => formatWatts(after) },
    { header: 'Écart', align: 'end', cell: formatChange },
  ]
  if (changes.length === 0)
    return <p className="text-body text-ink-soft">Ces deux versions donnent les mêmes puissances à chaque pas.</p>
  const wh = to.energyWh - from.energyWh
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p className="text-body">
        {formatCount(changes.length, 'pas diffère', 'pas diffèrent')}. L’énergie de la journée change de{' '}
        <span className="tabular font-medium">{formatSigned(formatEnergy(wh), wh)}</span>.
      </p>
      <Table
        label={label}
        rows={changes.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => ({ ...one, id: String(one.at) }))}
        columns={columns}
      />
      {changes.length > PAGE_SIZE && (
        <Pagination label={label} page={page} size={PAGE_SIZE} total={changes.length} onPage={setPage} />
      )}
    </div>
  )
}
