import { useState } from 'react'
import { excludeCorrectableLines } from '../../../lib/corrections.ts'
import { DIRECTION_LABELS, formatPrm } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import type { ParticipantImportOutcome } from './import-panel.tsx'

type PreviewLine = ParticipantImportOutcome['lines'][number] & { id: string }
const MAX_SHOWN_LINES = 200

const columns: Column<PreviewLine>[] = [
  { header: 'Ligne', align: 'end', cell: ({ line }) => line },
  {
    header: 'Résultat',
    cell: ({ outcome }) =>
      outcome === 'refused' ? <Badge tone="danger">Refusée</Badge> : <Badge tone="success">Valable</Badge>,
  },
  {
    header: 'Participant',
    cell: ({ name, prm: digits, value }) => (
      <span className="block min-w-36">
        <span className="font-medium">{name || 'Sans nom'}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">
          {[formatPrm(digits), value && DIRECTION_LABELS[value.direction]].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    header: 'Remarque',
    cell: ({ message, outcome }) => <span className="block min-w-48 py-1">{outcome === 'refused' ? message : ''}</span>,
  },
]

/** Line by line what was understood, but for what is corrected underneath; what is refused for good says why. */
export function WizardImportPreview({ report }: { report: ParticipantImportOutcome }) {
  const listed = excludeCorrectableLines(report.lines)
  const refused = listed.filter(({ outcome }) => outcome === 'refused').length
  const [outcomeFilter, setOutcomeFilter] = useState<string | undefined>(refused > 0 ? 'refused' : undefined)
  const lines = listed
    .filter(({ outcome }) => outcomeFilter === undefined || (outcome === 'refused') === (outcomeFilter === 'refused'))
    .map((line) => ({ ...line, id: String(line.line) }))
  return (
    <>
      <p role="status" className="text-body">
        <span className="font-medium">{formatCount(report.created, 'ligne valable', 'lignes valables')}</span>
        {report.refused > 0 && `, ${formatCount(report.refused, 'ligne refusée', 'lignes refusées')}`}.
        {report.refused > 0 &&
          ` ${report.refused > 1 ? 'Corrigez-les' : 'Corrigez-la'} ci-dessous${report.created > 0 ? ', ou reprenez les autres lignes' : ''}.`}
      </p>
      {refused > 0 && (
        <FilterChips
          label="Lignes affichées"
          options={[
            { value: 'refused', label: 'Refusées', count: refused },
            { value: 'good', label: 'Valables', count: report.created },
          ]}
          value={outcomeFilter}
          onChange={setOutcomeFilter}
        />
      )}
      {listed.length > 0 && (
        <Table label="Lignes du fichier" rows={lines.slice(0, MAX_SHOWN_LINES)} columns={columns} />
      )}
      {lines.length > MAX_SHOWN_LINES && (
        <p className="text-[0.8125rem] text-ink-soft">Les {MAX_SHOWN_LINES} premières lignes sont affichées.</p>
      )}
    </>
  )
}
