import { useQuery } from '@tanstack/react-query'
import type { FilledBlock, FilledChart, FilledTable } from '@voisol/contract/report-content'
import { type Report, reports } from '@voisol/contract/reports'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { formatMonthOrYear } from './report-periods.ts'

type FigureRow = { id: string; cells: string[] }

/** What a drawing shows, in numbers; what is not known is a dash. */
const toChartTable = ({ names, series, unit }: FilledChart): { heads: string[]; rows: string[][] } => ({
  heads: ['', ...series.map(({ label }) => `${label} (${unit})`)],
  rows: names.map((name, at) => [
    name,
    ...series.map(({ values }) => {
      const value = values[at] ?? null
      return value === null ? '—' : formatNumber(value, Math.abs(value) < 10 ? 2 : 1)
    }),
  ]),
})

const toTable = (block: FilledChart | FilledTable) =>
  block.kind === 'chart' ? toChartTable(block) : { heads: block.columns.map(({ head }) => head), rows: block.rows }

function FiguresTable({ block }: { block: FilledChart | FilledTable }) {
  const { heads, rows } = toTable(block)
  const columns = heads.map(
    (header, at): Column<FigureRow> => ({
      header: header || 'Période',
      ...(at === 0 ? { card: 'title' as const } : { align: 'end' as const, card: 'primary' as const }),
      cell: ({ cells }) => cells[at] ?? '',
    }),
  )
  return (
    <section className="grid gap-2 [&>*]:min-w-0">
      <h3 className="text-base font-semibold">{block.title}</h3>
      <Table label={block.title} rows={rows.map((cells, at) => ({ id: String(at), cells }))} columns={columns} />
    </section>
  )
}

function ReportFigures({ blocks }: { blocks: FilledBlock[] }) {
  const figures = blocks.filter((block) => block.kind === 'figure')
  return (
    <>
      {figures.length > 0 && (
        <dl className="grid gap-3 sm:grid-cols-2">
          {figures.map(({ source, label, figure, unit, note }) => (
            <div key={source}>
              <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
              <dd className="tabular font-semibold">
                {figure}
                {unit && `\u00a0${unit}`}
                {note && <span className="block text-[0.8125rem] font-normal text-ink-soft">{note}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {blocks.map((block) =>
        block.kind === 'chart' || block.kind === 'table' ? (
          <FiguresTable key={`${block.kind} ${block.source}`} block={block} />
        ) : null,
      )}
    </>
  )
}

/** The figures that the paper was drawn from, as they were kept with it. */
export default function FiguresDialog({ report, onClose }: { report: Report; onClose: () => void }) {
  const { data, error, refetch } = useQuery(query(reports.get, { params: { id: report.id } }))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Chiffres du rapport"
      description={`${report.title}, ${report.subjectName}, ${formatMonthOrYear(report.period)}, version ${report.number}\u00a0: tels qu’ils étaient quand il a été établi.`}
    >
      <div className="grid gap-6 [&>*]:min-w-0">
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-64 w-full" />}
        {data && <ReportFigures blocks={data.content.blocks} />}
        {data && data.content.notes.length > 0 && (
          <ul className="grid list-disc gap-1 pl-5 text-[0.8125rem] text-ink-soft">
            {data.content.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
