import { useQuery } from '@tanstack/react-query'
import { type Report, reports } from '@voisol/contract/reports'
import Download from 'lucide-react/icons/download'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { downloadReportFile } from './issued-reports.tsx'
import { formatMonthOrYear } from './report-periods.ts'

/** The last version of each: an earlier one is the organiser's to keep. */
const getLatestVersions = (items: Report[]) =>
  [...Map.groupBy(items, ({ title, subjectName, period }) => `${title} ${subjectName} ${period}`).values()].flatMap(
    (versions) => versions.toSorted((a, b) => b.number - a.number).slice(0, 1),
  )

/** The reports of oneself; nothing before the first is made. */
export default function OwnReports() {
  const { data } = useQuery(query(reports.list, { query: { size: 100 } }))
  const items = getLatestVersions(data?.items ?? [])
  if (items.length === 0) return null
  return (
    <Card
      title="Mes rapports"
      description="Ce que votre organisation a établi pour vous, en chiffres et en graphiques."
    >
      <ul className="grid gap-2">
        {items.map((report) => (
          <li key={report.id} className="flex flex-wrap items-center justify-between gap-3">
            <span>
              <span className="block font-medium">
                {report.title}, {formatMonthOrYear(report.period)}
              </span>
              <span className="block text-body text-ink-soft">
                {report.subjectName}, établi le {formatDate(report.madeAt)}
              </span>
            </span>
            <Button
              variant="secondary"
              icon={<Download aria-hidden="true" />}
              aria-label={`Télécharger ${report.file.name}`}
              onClick={() => downloadReportFile(report)}
            >
              Télécharger
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
