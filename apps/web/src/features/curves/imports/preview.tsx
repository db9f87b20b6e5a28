import type { CurveImport } from '@voisol/contract/curves'
import { useState } from 'react'
import { prm, sideWord } from '../../../lib/energy-labels.ts'
import { energy, number, plural } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { type ImportSeries, shortDays } from '../labels.ts'
import { Problems } from './problems.tsx'

const SIZE = 50
const count = (value: number) => (value === 0 ? <span className="text-ink-muted">0</span> : number(value))

const columns: Column<ImportSeries & { id: string }>[] = [
  {
    header: 'Point',
    cell: ({ prm: digits, pointLabel, pointId, direction, storage }) => (
      <span className="block min-w-44 py-1">
        <span className="tabular block font-medium whitespace-nowrap">{digits ? prm(digits) : 'PRM non donné'}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[direction && sideWord({ direction, storage }), pointLabel].filter(Boolean).join(' · ')}
        </span>
        {pointId === null && <Badge tone="danger">Laissé de côté</Badge>}
      </span>
    ),
  },
  {
    header: 'Jours',
    cell: ({ from, to }) => <span className="tabular whitespace-nowrap">{shortDays(from, to)}</span>,
  },
  { header: 'Nouvelles', align: 'end', cell: ({ newDays }) => count(newDays) },
  { header: 'Modifiées', align: 'end', cell: ({ changedDays }) => count(changedDays) },
  { header: 'Identiques', align: 'end', cell: ({ sameDays }) => count(sameDays) },
  { header: 'Relevés', align: 'end', cell: ({ readings }) => count(readings) },
  { header: 'Manquants', align: 'end', cell: ({ missing }) => count(missing) },
  {
    header: 'Énergie',
    align: 'end',
    cell: ({ energyWh }) => <span className="whitespace-nowrap">{energy(energyWh)}</span>,
  },
]

const sumOf = (series: ImportSeries[], key: 'newDays' | 'changedDays' | 'sameDays') =>
  series.reduce((sum, one) => sum + one[key], 0)

/** What will change, in one sentence. */
function effectOf({ series, status, asked }: CurveImport) {
  if (asked.questions.length > 0)
    return 'Aperçu provisoire, d’après une lecture supposée\u00a0: il sera refait avec vos choix.'
  const [fresh, changed, same] = [sumOf(series, 'newDays'), sumOf(series, 'changedDays'), sumOf(series, 'sameDays')]
  if (fresh + changed === 0 && same > 0)
    return `Ces ${plural(same, 'journée')} sont déjà connues à l’identique\u00a0: enregistrer ne changera rien.`
  const parts = [
    plural(fresh, 'journée nouvelle', 'journées nouvelles'),
    changed > 0 && `${plural(changed, 'journée modifiée', 'journées modifiées')} (l’ancienne version est gardée)`,
    same > 0 && plural(same, 'journée identique', 'journées identiques'),
  ].filter(Boolean)
  return `${status === 'done' ? 'À l’enregistrement' : 'Par rapport à ce qui est déjà connu'}\u00a0: ${parts.join(', ')}.`
}

/** Series by series, then remark by remark: what will enter, and what will not. */
export function Preview({ item }: { item: CurveImport }) {
  const [page, setPage] = useState(1)
  const rows = item.series.map((one, at) => ({ ...one, id: String(at) }))
  const label = 'Courbes du fichier'
  return (
    <>
      <section aria-labelledby={`${item.id}-series`} className="grid gap-3 [&>*]:min-w-0">
        <h3 id={`${item.id}-series`} className="text-body font-semibold">
          {plural(rows.length, 'courbe')}
        </h3>
        <p className="prose-width text-body text-ink-soft">{effectOf(item)}</p>
        <Table label={label} rows={rows.slice((page - 1) * SIZE, page * SIZE)} columns={columns} />
        {rows.length > SIZE && (
          <Pagination label={label} page={page} size={SIZE} total={rows.length} onPage={setPage} />
        )}
      </section>
      <Problems item={item} />
    </>
  )
}
