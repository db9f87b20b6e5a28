import { useState } from 'react'
import { energy, plural, power, time } from '../../../lib/format.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import type { Version } from '../labels.ts'
import type { Change } from './difference.ts'

const SIZE = 12
const watts = (value: number | null) => (value === null ? 'manquant' : power(value))
const signed = (text: string, value: number) => (value > 0 ? `+${text}` : text.replace(/^-/, '\u2212'))
const gap = ({ before, after }: Change) =>
  before === null || after === null ? '–' : signed(power(after - before), after - before)

type Props = { changes: Change[]; from: Version; to: Version; startsAt: number; step: number }

/** The steps that the later version says otherwise, and they alone. */
export function DifferenceTable({ changes, from, to, startsAt, step }: Props) {
  const [page, setPage] = useState(1)
  const label = `Différences entre les versions ${from.version} et ${to.version}`
  const columns: Column<Change & { id: string }>[] = [
    { header: 'Heure', cell: ({ at }) => <span className="tabular">{time((startsAt + at * step) * 60_000)}</span> },
    { header: `Version ${from.version}`, align: 'end', cell: ({ before }) => watts(before) },
    { header: `Version ${to.version}`, align: 'end', cell: ({ after }) => watts(after) },
    { header: 'Écart', align: 'end', cell: gap },
  ]
  if (changes.length === 0)
    return <p className="text-body text-ink-soft">Ces deux versions donnent les mêmes puissances à chaque pas.</p>
  const wh = to.energyWh - from.energyWh
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p className="text-body">
        {plural(changes.length, 'pas diffère', 'pas diffèrent')}. L’énergie de la journée change de{' '}
        <span className="tabular font-medium">{signed(energy(wh), wh)}</span>.
      </p>
      <Table
        label={label}
        rows={changes.slice((page - 1) * SIZE, page * SIZE).map((one) => ({ ...one, id: String(one.at) }))}
        columns={columns}
      />
      {changes.length > SIZE && (
        <Pagination label={label} page={page} size={SIZE} total={changes.length} onPage={setPage} />
      )}
    </div>
  )
}
