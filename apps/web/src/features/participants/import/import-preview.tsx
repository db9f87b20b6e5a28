import { useState } from 'react'
import { withoutCorrections } from '../../../lib/corrections.ts'
import { prm } from '../../../lib/energy-labels.ts'
import { plural } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import type { Report } from './use-import.ts'

type Line = Report['lines'][number] & { id: string }
const SHOWN = 200
const OUTCOMES: Record<Line['outcome'], { label: string; plural: string; tone: Tone }> = {
  created: { label: 'Entrée', plural: 'Entrées', tone: 'success' },
  updated: { label: 'Mise à jour', plural: 'Mises à jour', tone: 'info' },
  unchanged: { label: 'Inchangée', plural: 'Inchangées', tone: 'neutral' },
  refused: { label: 'Refusée', plural: 'Refusées', tone: 'danger' },
}
const ORDER = ['refused', 'created', 'updated', 'unchanged'] as const

const columns: Column<Line>[] = [
  { header: 'Ligne', align: 'end', cell: ({ line }) => line },
  {
    header: 'Résultat',
    cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>,
  },
  { header: 'Nom', cell: ({ name }) => name || '–' },
  {
    header: 'PRM',
    cell: (line) => (
      <span className="tabular whitespace-nowrap">{/^\d{14}$/.test(line.prm) ? prm(line.prm) : line.prm}</span>
    ),
  },
  { header: 'Remarque', cell: ({ message }) => <span className="block min-w-64 py-1">{message}</span> },
]

/** One line is mended as one; where all were refused there are no others. */
const mending = (refused: number, read: number) =>
  `${refused > 1 ? 'corrigez-les' : 'corrigez-la'} ci-dessous${refused < read ? ', ou importez les autres' : ''}.`

/** Line by line what would happen, but for what is corrected underneath; what is refused for good says why. */
export function ImportPreview({ report }: { report: Report }) {
  const listed = withoutCorrections(report.lines)
  const count = (outcome: Line['outcome']) => listed.filter((line) => line.outcome === outcome).length
  const [only, setOnly] = useState<string | undefined>(count('refused') > 0 ? 'refused' : undefined)
  const lines = listed
    .filter(({ outcome }) => only === undefined || outcome === only)
    .map((line) => ({ ...line, id: String(line.line) }))
  const options = ORDER.filter((outcome) => count(outcome) > 0).map((value) => ({
    value,
    label: OUTCOMES[value].plural,
    count: count(value),
  }))
  return (
    <>
      <p role="status" className="text-body">
        {plural(report.lines.length, 'ligne lue', 'lignes lues')}
        {report.refused > 0
          ? `, dont ${plural(report.refused, 'refusée', 'refusées')}\u00a0: ${mending(report.refused, report.lines.length)}`
          : ', toutes valables.'}
      </p>
      {listed.length > 0 && (
        <>
          <FilterChips label="Lignes affichées" options={options} value={only} onChange={setOnly} />
          <Table label="Lignes du fichier" rows={lines.slice(0, SHOWN)} columns={columns} />
        </>
      )}
      {lines.length > SHOWN && (
        <p className="text-[0.8125rem] text-ink-soft">Les {SHOWN} premières lignes sont affichées.</p>
      )}
    </>
  )
}
