import CircleAlert from 'lucide-react/icons/circle-alert'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatCount } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Link } from '../../../ui/link.tsx'
import { getPlantName, type Plant } from './rows.ts'

const SEVERITY_STYLES = {
  critical: { Icon: CircleAlert, tone: 'text-danger', words: 'Urgent' },
  warning: { Icon: TriangleAlert, tone: 'text-warning', words: 'À surveiller' },
}

export const usePointPath = () => {
  const { user } = useSession()
  return ({ operationId, id }: Plant) =>
    `/companies/${user?.companyId ?? ''}/operations/${operationId}/load-curves/${id}`
}

/** The plants that need a look, the gravest first; nothing at all where all is well. */
export function Alarms({ rows }: { rows: Plant[] }) {
  const pathOf = usePointPath()
  const alarms = rows
    .flatMap((row) => row.alarms.map((alarm) => ({ ...alarm, row })))
    .toSorted((a, b) => a.severity.localeCompare(b.severity) || a.since.localeCompare(b.since))
  if (alarms.length === 0) return null
  return (
    <Card title={formatCount(alarms.length, 'alarme')}>
      <ul className="grid gap-3">
        {alarms.map(({ severity, since, message, row }) => {
          const { Icon, tone, words } = SEVERITY_STYLES[severity]
          return (
            <li key={`${row.id}-${since}-${message}`} className="flex items-start gap-2 text-body">
              <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
              <span>
                <span className="sr-only">{words}&nbsp;: </span>
                <Link to={pathOf(row)} className="font-medium text-link">
                  {getPlantName(row)}
                </Link>
                <span className="text-ink-soft"> · {row.operationName}</span>
                <span className="block">{message}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
