import type { participations } from '@voisol/contract/points'
import type { z } from 'zod'
import { plural } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, Table } from '../../../ui/table.tsx'

export type BulkReport = z.output<typeof participations.bulk.response>
type Line = BulkReport['lines'][number]

const columns: Column<Line>[] = [
  {
    header: 'Résultat',
    cell: ({ outcome }) =>
      outcome === 'changed' ? <Badge tone="success">Possible</Badge> : <Badge tone="danger">Refusé</Badge>,
  },
  { header: 'Point', cell: ({ label }) => <span className="tabular block min-w-44">{label}</span> },
  { header: 'Remarque', cell: ({ message }) => <span className="block min-w-56 py-1">{message}</span> },
]

/** What is refused comes first. */
const sorted = (lines: Line[]) =>
  lines.toSorted((a, b) => Number(a.outcome === 'changed') - Number(b.outcome === 'changed'))

export const BulkReview = ({ report }: { report: BulkReport }) => (
  <>
    <p role="status" className="text-body">
      {plural(report.changed, 'changement possible', 'changements possibles')}
      {report.refused > 0 && `, ${plural(report.refused, 'refusé', 'refusés')}`}.
    </p>
    <div className="max-h-80 overflow-auto">
      <Table label="Changements" rows={sorted(report.lines)} columns={columns} />
    </div>
  </>
)
