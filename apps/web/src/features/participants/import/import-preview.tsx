import { useState } from 'react'
import { excludeCorrectableLines } from '../../../lib/corrections.ts'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import type { ParticipantImportOutcome } from './use-import.ts'

type PreviewLine = ParticipantImportOutcome['lines'][number] & { id: string }
const MAX_SHOWN_LINES = 200
const OUTCOME_LABELS: Record<PreviewLine['outcome'], { label: string; plural: string; tone: Tone }> = {
  created: { label: 'Entrée', plural: 'Entrées', tone: 'success' },
  updated: { label: 'Mise à jour', plural: 'Mises à jour', tone: 'info' },
  unchanged: { label: 'Inchangée', plural: 'Inchangées', tone: 'neutral' },
  refused: { label: 'Refusée', plural: 'Refusées', tone: 'danger' },
}
const OUTCOME_ORDER = ['refused', 'created', 'updated', 'unchanged'] as const

const columns: Column<PreviewLine>[] = [
  { header: 'Ligne', align: 'end', cell: ({ line }) => line },
  {
    header: 'Résultat',
    cell: ({ outcome }) => <Badge tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</Badge>,
  },
  { header: 'Nom', cell: ({ name }) => name || '–' },
  {
    header: 'PRM',
    cell: (line) => (
      <span className="tabular whitespace-nowrap">{/^\d{14}$/.test(line.prm) ? formatPrm(line.prm) : line.prm}</span>
    ),
  },
  { header: 'Remarque', cell: ({ message }) => <span className="block min-w-64 py-1">{message}</span> },
]

/** One line is mended as one; where all were refused there are no others. */
const describeCorrection = (refused: number, lineCount: number) =>
  `${refused > 1 ? 'corrigez-les' : 'corrigez-la'} ci-dessous${refused < lineCount ? ', ou importez les autres' : ''}.`

/** Line by line what would happen, but for what is corrected underneath; what is refused for good says why. */
export function ParticipantImportPreview({ report }: { report: ParticipantImportOutcome }) {
  const listed = excludeCorrectableLines(report.lines)
  const count = (outcome: PreviewLine['outcome']) => listed.filter((line) => line.outcome === outcome).length
  const [outcomeFilter, setOutcomeFilter] = useState<string | undefined>(count('refused') > 0 ? 'refused' : undefined)
  const lines = listed
    .filter(({ outcome }) => outcomeFilter === undefined || outcome === outcomeFilter)
    .map((line) => ({ ...line, id: String(line.line) }))
  const options = OUTCOME_ORDER.filter((outcome) => count(outcome) > 0).map((value) => ({
    value,
    label: OUTCOME_LABELS[value].plural,
    count: count(value),
  }))
  return (
    <>
      <p role="status" className="text-body">
        {formatCount(report.lines.length, 'ligne lue', 'lignes lues')}
        {report.refused > 0
          ? `, dont ${formatCount(report.refused, 'refusée', 'refusées')}\u00a0: ${describeCorrection(report.refused, report.lines.length)}`
          : ', toutes valables.'}
      </p>
      {listed.length > 0 && (
        <>
          <FilterChips label="Lignes affichées" options={options} value={outcomeFilter} onChange={setOutcomeFilter} />
          <Table label="Lignes du fichier" rows={lines.slice(0, MAX_SHOWN_LINES)} columns={columns} />
        </>
      )}
      {lines.length > MAX_SHOWN_LINES && (
        <p className="text-[0.8125rem] text-ink-soft">Les {MAX_SHOWN_LINES} premières lignes sont affichées.</p>
      )}
    </>
  )
}
