import { formatPrm } from '../../../lib/energy-labels.ts'
import { formatEnergy } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import {
  formatKnownPeriods,
  formatPowerLimit,
  type KnownPointFacts,
  type QuestionCandidate,
  type QuestionSubject,
} from './question-texts.ts'

type ComparisonRow = KnownPointFacts & { id: string; at: number }

const pointColumn: Column<ComparisonRow> = {
  header: 'Point',
  cell: ({ prm: digits, label }) => (
    <span className="block min-w-40 py-1">
      <span className="tabular block font-medium whitespace-nowrap">{formatPrm(digits)}</span>
      {label && <span className="block text-[0.8125rem] text-ink-soft">{label}</span>}
    </span>
  ),
}

const knownColumn: Column<ComparisonRow> = {
  header: 'Ce que l’on en sait',
  cell: (known) => {
    const limit = formatPowerLimit(known)
    const facts = formatKnownPeriods(known)
    return (
      <span className="block min-w-60 py-1">
        {facts.map(({ label, value, days }) => (
          <span key={label} className="block">
            {label}&nbsp;: <span className="font-medium whitespace-nowrap">{value}</span> ({days})
          </span>
        ))}
        {limit && <span className="block text-[0.8125rem] text-ink-soft">Puissance du point&nbsp;: {limit}</span>}
        {facts.length === 0 && !limit && <span className="text-ink-muted">Rien encore</span>}
      </span>
    )
  },
}

const getCandidateHeader = ({ value, label }: QuestionCandidate, about: QuestionSubject) =>
  about === 'unit' ? `En ${value}` : label

/** Point by point: what each way to read the file comes to, beside what is known. */
export function CandidateComparison({
  about,
  candidates,
  known,
}: {
  about: QuestionSubject
  candidates: QuestionCandidate[]
  known: KnownPointFacts[]
}) {
  const rows = known.map((one, at) => ({ ...one, id: `${one.prm} ${one.direction}`, at }))
  const columns: Column<ComparisonRow>[] = [
    pointColumn,
    knownColumn,
    ...candidates.map(
      (candidate): Column<ComparisonRow> => ({
        header: getCandidateHeader(candidate, about),
        align: 'end',
        cell: ({ at }) => {
          const own = candidate.points[at]
          return (
            <span className="grid justify-items-end gap-1 whitespace-nowrap">
              {formatEnergy(own?.energyWh ?? 0)}
              {own?.tooHigh && <Badge tone="danger">Impossible</Badge>}
            </span>
          )
        },
      }),
    ),
  ]
  return <Table label="Comparaison des lectures" rows={rows} columns={columns} />
}
