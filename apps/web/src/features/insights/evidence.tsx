import type { Evidence as Numbers } from '@voisol/contract/insights'
import { formatCount, formatDate, formatNumber } from '../../lib/format.ts'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { EVIDENCE_STROKES, EvidenceLines } from './lines.tsx'
import { EvidenceBars } from './name-bars.tsx'

type Row = { id: string; label: string; values: (number | null)[] }

/** « 2026-05-14 7 h » of hours that follow one another, « 7 h » of a day like all others. */
function formatAxisLabel({ axis, labels }: Numbers, at: number): string {
  const label = labels[at] ?? ''
  if (axis === 'name' || !/^\d{4}-/.test(label)) return label
  const [day = '', ...hour] = label.split(' ')
  return [formatDate(day), ...hour].join(' ')
}

const Legend = ({ series }: { series: Numbers['series'] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    {series.map(({ name }, at) => (
      <li key={`${name} ${EVIDENCE_STROKES[at % 3]?.color}`} className="inline-flex items-center gap-1.5">
        <svg aria-hidden="true" width="22" height="6">
          <path
            d="M0 3h22"
            stroke={EVIDENCE_STROKES[at % 3]?.color}
            strokeDasharray={EVIDENCE_STROKES[at % 3]?.dash}
            strokeWidth="2.5"
          />
        </svg>
        {name}
      </li>
    ))}
  </ul>
)

const AXIS_HEADERS = { day: 'Jour', hour: 'Heure', name: 'Nom' }

/** What a finding stands on: drawn, and as the very same numbers in a table. */
export function InsightEvidence({ evidence, title }: { evidence: Numbers; title: string }) {
  const { axis, labels, series, unit } = evidence
  const rows: Row[] = labels.map((_, at) => ({
    id: String(at),
    label: formatAxisLabel(evidence, at),
    values: series.map(({ values }) => values[at] ?? null),
  }))
  const columns: Column<Row>[] = [
    { header: AXIS_HEADERS[axis], card: 'title', cell: ({ label }) => label },
    ...series.map(
      ({ name }, which): Column<Row> => ({
        header: `${name} (${unit})`,
        align: 'end',
        card: 'primary',
        cell: ({ values }) => (values[which] === null ? '–' : formatNumber(values[which] ?? 0, 1)),
      }),
    ),
  ]
  return (
    <ChartFrame
      title={title}
      summary={`${series.map(({ name }) => name).join(', ')}\u00a0: ${formatCount(labels.length, 'valeur')}, en ${unit}.`}
      drawing={
        <div className="grid gap-2 [&>*]:min-w-0">
          <Legend series={series} />
          {axis === 'name' ? (
            <EvidenceBars evidence={evidence} />
          ) : (
            <EvidenceLines evidence={evidence} labelAt={(at) => formatAxisLabel(evidence, at)} />
          )}
        </div>
      }
      table={<Table label={title} rows={rows} columns={columns} />}
    />
  )
}
