import type { CurveImport } from '@voisol/contract/curves'
import CircleCheck from 'lucide-react/icons/circle-check'
import FileDown from 'lucide-react/icons/file-down'
import { useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { buildCsv, saveCsv } from '../../../../components/chart/chart-export.ts'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { Pagination } from '../../../../components/pagination.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { formatCount, formatNumber } from '../../../../lib/format.ts'
import { getProblemLabel, type ImportProblem } from '../labels.ts'

const PAGE_SIZE = 50
/** As many as the server keeps of a file. */
const MAX_STORED_PROBLEMS = 500

const columns: Column<ImportProblem & { id: string }>[] = [
  { header: 'Ligne', align: 'end', cell: ({ line }) => (line > 0 ? formatNumber(line) : '–') },
  {
    header: 'Gravité',
    cell: ({ severity }) => (
      <Badge tone={severity === 'error' ? 'danger' : 'warning'}>{SEVERITY_LABELS[severity]}</Badge>
    ),
  },
  { header: 'Nature', cell: ({ code }) => <span className="whitespace-nowrap">{getProblemLabel(code)}</span> },
  { header: 'Message', cell: ({ message }) => <span className="block min-w-72">{message}</span> },
]

function ProblemTable({ item, code }: { item: CurveImport; code: string | undefined }) {
  const [page, setPage] = useState(1)
  const shown = item.problems.filter((one) => code === undefined || one.code === code)
  const rows = shown.map((one, at) => ({ ...one, id: String(at) }))
  const label = 'Remarques sur le fichier'
  return (
    <>
      {rows.length > 0 ? (
        <Table label={label} rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} columns={columns} />
      ) : (
        <p className="text-body text-ink-soft">Ces remarques sont comptées, mais leur détail n’a pas été gardé.</p>
      )}
      {rows.length > PAGE_SIZE && (
        <Pagination label={label} page={page} size={PAGE_SIZE} total={rows.length} onPage={setPage} />
      )}
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        icon={<FileDown aria-hidden="true" />}
        onClick={() => saveCsv(`remarques ${item.name}`, buildProblemsCsv(shown))}
      >
        Télécharger ces remarques (CSV)
      </Button>
    </>
  )
}

/** What is wrong or odd in the file, by nature, with the line it is on. */
export function ImportProblems({ item }: { item: CurveImport }) {
  const [code, setCode] = useState<string>()
  const groups = groupProblems(item.counts)
  const all = groups.reduce((sum, { count }) => sum + count, 0)
  const id = `${item.id}-problems`
  if (item.problems.length === 0)
    return (
      <p className="flex items-start gap-2 text-body">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
        Aucune remarque sur ce fichier.
      </p>
    )
  return (
    <section aria-labelledby={id} className="grid gap-3 [&>*]:min-w-0">
      <h3 id={id} className="text-body font-semibold">
        {formatCount(all, 'remarque')}
      </h3>
      {item.problems.length >= MAX_STORED_PROBLEMS && all > item.problems.length && (
        <p className="text-body text-ink-soft">
          Les {formatNumber(item.problems.length)} premières sont détaillées&nbsp;; toutes sont comptées.
        </p>
      )}
      {groups.length > 1 && <FilterChips label="Nature" options={groups} value={code} onChange={setCode} />}
      <ProblemTable key={code} item={item} code={code} />
    </section>
  )
}

/** What was counted, most first; more may have been counted than kept. */
export const groupProblems = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ value: code, label: getProblemLabel(code), count }))

const SEVERITY_LABELS = { error: 'Erreur', warning: 'Avertissement' } as const

/** As it is shown: one remark per line. */
export const buildProblemsCsv = (problems: ImportProblem[]) =>
  buildCsv([
    ['Ligne', 'Gravité', 'Nature', 'PRM', 'Message'],
    ...problems.map(({ line, severity, code, prm = '', message }) => [
      line > 0 ? String(line) : '',
      SEVERITY_LABELS[severity],
      getProblemLabel(code),
      prm,
      message,
    ]),
  ])
