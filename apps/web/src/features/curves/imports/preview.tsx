import type { CurveImport } from '@voisol/contract/curves'
import { useState } from 'react'
import { formatPrm, getMeterSideLabel } from '../../../lib/energy-labels.ts'
import { formatCount, formatEnergy, formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { formatShortDayRange, type ImportSeries } from '../labels.ts'
import { ImportProblems } from './problems.tsx'

const PAGE_SIZE = 50
const renderCount = (value: number) => (value === 0 ? <span className="text-ink-muted">0</span> : formatNumber(value))

const columns: Column<ImportSeries & { id: string }>[] = [
  {
    header: 'Point',
    cell: ({ prm: digits, pointLabel, pointId, direction, storage }) => (
      <span className="block min-w-44 py-1">
        <span className="tabular block font-medium whitespace-nowrap">
          {digits ? formatPrm(digits) : 'PRM non donné'}
        </span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[direction && getMeterSideLabel({ direction, storage }), pointLabel].filter(Boolean).join(' · ')}
        </span>
        {pointId === null && <Badge tone="danger">Laissé de côté</Badge>}
      </span>
    ),
  },
  {
    header: 'Jours',
    cell: ({ from, to }) => <span className="tabular whitespace-nowrap">{formatShortDayRange(from, to)}</span>,
  },
  { header: 'Nouvelles', align: 'end', cell: ({ newDays }) => renderCount(newDays) },
  { header: 'Modifiées', align: 'end', cell: ({ changedDays }) => renderCount(changedDays) },
  { header: 'Identiques', align: 'end', cell: ({ sameDays }) => renderCount(sameDays) },
  { header: 'Relevés', align: 'end', cell: ({ readings }) => renderCount(readings) },
  { header: 'Manquants', align: 'end', cell: ({ missing }) => renderCount(missing) },
  {
    header: 'Énergie',
    align: 'end',
    cell: ({ energyWh }) => <span className="whitespace-nowrap">{formatEnergy(energyWh)}</span>,
  },
]

const sumDays = (series: ImportSeries[], key: 'newDays' | 'changedDays' | 'sameDays') =>
  series.reduce((sum, one) => sum + one[key], 0)

/** What will change, in one sentence. */
function describeImpact({ series, status, asked }: CurveImport) {
  if (asked.questions.length > 0)
    return 'Aperçu provisoire, d’après une lecture supposée\u00a0: il sera refait avec vos choix.'
  const [newDays, changed, same] = [
    sumDays(series, 'newDays'),
    sumDays(series, 'changedDays'),
    sumDays(series, 'sameDays'),
  ]
  if (newDays + changed === 0 && same > 0)
    return `Ces ${formatCount(same, 'journée')} sont déjà connues à l’identique\u00a0: enregistrer ne changera rien.`
  const parts = [
    formatCount(newDays, 'journée nouvelle', 'journées nouvelles'),
    changed > 0 && `${formatCount(changed, 'journée modifiée', 'journées modifiées')} (l’ancienne version est gardée)`,
    same > 0 && formatCount(same, 'journée identique', 'journées identiques'),
  ].filter(Boolean)
  return `${status === 'done' ? 'À l’enregistrement' : 'Par rapport à ce qui est déjà connu'}\u00a0: ${parts.join(', ')}.`
}

/** Series by series, then remark by remark: what will enter, and what will not. */
export function CurveImportPreview({ item }: { item: CurveImport }) {
  const [page, setPage] = useState(1)
  const rows = item.series.map((one, at) => ({ ...one, id: String(at) }))
  const label = 'Courbes du fichier'
  return (
    <>
      <section aria-labelledby={`${item.id}-series`} className="grid gap-3 [&>*]:min-w-0">
        <h3 id={`${item.id}-series`} className="text-body font-semibold">
          {formatCount(rows.length, 'courbe')}
        </h3>
        <p className="prose-width text-body text-ink-soft">{describeImpact(item)}</p>
        <Table label={label} rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} columns={columns} />
        {rows.length > PAGE_SIZE && (
          <Pagination label={label} page={page} size={PAGE_SIZE} total={rows.length} onPage={setPage} />
        )}
      </section>
      <ImportProblems item={item} />
    </>
  )
}
