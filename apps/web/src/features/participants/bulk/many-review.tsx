import type { BulkLine, BulkRun } from '@voisol/contract/bulk'
import { formatCount } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { type Column, Table } from '../../../ui/table.tsx'

const OUTCOME_LABELS: Record<BulkLine['outcome'], { label: string; tone: Tone }> = {
  done: { label: 'Possible', tone: 'success' },
  unchanged: { label: 'Inchangé', tone: 'neutral' },
  refused: { label: 'Refusé', tone: 'danger' },
}
const buildColumns = (isDone: boolean): Column<BulkLine>[] => [
  {
    header: 'Résultat',
    cell: ({ outcome }) => (
      <Badge tone={OUTCOME_LABELS[outcome].tone}>
        {isDone && outcome === 'done' ? 'Fait' : OUTCOME_LABELS[outcome].label}
      </Badge>
    ),
  },
  { header: 'Participant', cell: ({ label }) => <span className="tabular block min-w-44">{label}</span> },
  { header: 'Remarque', cell: ({ message }) => <span className="block min-w-56 py-1">{message}</span> },
]

/** What would be done, what is refused and why; once done, the same in the past. */
export function BulkReview({ run }: { run: BulkRun }) {
  const { dryRun, done, unchanged, refused, lines } = run
  const all = done + unchanged + refused
  return (
    <>
      <p role="status" className="text-body">
        {dryRun
          ? formatCount(done, 'changement possible', 'changements possibles')
          : formatCount(done, 'changement fait', 'changements faits')}
        {refused > 0 && `, ${formatCount(refused, 'refusé', 'refusés')}`}
        {unchanged > 0 && `, ${formatCount(unchanged, 'sans changement', 'sans changement')}`}.
      </p>
      <Table label="Changements" rows={lines} columns={buildColumns(!dryRun)} />
      {lines.length < all && (
        <p className="text-[0.8125rem] text-ink-soft">
          Les {lines.length} premières lignes sur {all}, refus en tête.
        </p>
      )}
    </>
  )
}
