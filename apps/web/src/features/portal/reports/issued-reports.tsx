import { type Report, reports } from '@voisol/contract/reports'
import Download from 'lucide-react/icons/download'
import { lazy, Suspense, useState } from 'react'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatMonthOrYear } from './report-periods.ts'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const columns: Column<Report>[] = [
  {
    header: 'Rapport',
    card: 'title',
    cell: ({ title, subjectName }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{title}</span>
        <span className={softTextClass}>{subjectName}</span>
      </span>
    ),
  },
  { header: 'Période', card: 'primary', cell: ({ period }) => formatMonthOrYear(period) },
  { header: 'Version', align: 'end', cell: ({ number }) => <span className="tabular">{number}</span> },
  {
    header: 'Établi',
    card: 'primary',
    cell: ({ madeAt, madeBy }) => (
      <span className="block">
        {formatDate(madeAt)}
        <span className={softTextClass}>{madeBy}</span>
      </span>
    ),
  },
]

export const downloadReportFile = ({ id }: Report) =>
  void download(reports.file, { params: { id } }).catch((error: unknown) =>
    toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
  )

const FiguresDialog = lazy(() => import('./figures-dialog.tsx'))

function ReportActions({ report }: { report: Report }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`Chiffres de ${report.file.name}`} onClick={() => setOpen(true)}>
        Chiffres
      </Button>
      <Button
        variant="quiet"
        size="small"
        icon={<Download aria-hidden="true" />}
        aria-label={`Télécharger ${report.file.name}`}
        onClick={() => downloadReportFile(report)}
      >
        PDF
      </Button>
      {open && (
        <Suspense>
          <FiguresDialog report={report} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** What was made, the latest first: the very papers that were sent or shown. */
export default function IssuedReports() {
  const list = useList(reports.list)
  return (
    <ListScreen
      list={list}
      label="Rapports établis"
      search="Rechercher un rapport"
      columns={columns}
      rowActions={(report) => <ReportActions report={report} />}
      empty={
        <EmptyState
          title="Aucun rapport établi"
          why={`Choisissez un modèle, de qui et de quand il parle\u00a0: le document établi est conservé ici avec les chiffres dont il est fait.`}
          action={<ButtonLink to="/reports?tab=modeles">Choisir un modèle</ButtonLink>}
        />
      }
    />
  )
}
