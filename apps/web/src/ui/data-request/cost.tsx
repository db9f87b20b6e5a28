import { useQuery } from '@tanstack/react-query'
import { type SyncKind, sync } from '@voisol/contract/sync'
import { addDays, isDay } from '@voisol/energy/calendar'
import Clock from 'lucide-react/icons/clock'
import { ENVIRONMENT_LABELS } from '../../lib/distributor-labels.ts'
import { formatCount } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { getTodayInParis } from '../period/period.ts'
import { countCalls, estimateSeconds, formatRequestDuration } from './plan.ts'

type CostProps = {
  operationId: string
  kind: SyncKind
  from: string
  last: string
  /** Null for every point of the operation. */
  pointIds: string[] | null
}

/** What the request costs before it is made. */
export function RequestCost({ operationId, kind, from, last, pointIds }: CostProps) {
  const { data } = useQuery(query(sync.standing, { params: { id: operationId } }))
  if (!data || !isDay(from) || !isDay(last)) return null
  const points = data.points.filter(({ pointId }) => !pointIds || pointIds.includes(pointId))
  const asked = points.filter(({ blockedAt }) => !blockedAt)
  const calls = countCalls(kind, asked, { from, to: addDays(last, 1) }, getTodayInParis())
  const blocked = points.length - asked.length
  return (
    <div role="status" className="flex items-start gap-2.5 rounded-control bg-page p-3 text-body">
      <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
      <div className="grid gap-0.5">
        <p>
          {calls === 0 ? (
            'Aucun appel\u00a0: aucun point n’a de données à demander sur cette période.'
          ) : (
            <>
              <span className="tabular font-medium">{formatCount(calls, 'appel')}</span>, environ{' '}
              {formatRequestDuration(estimateSeconds(calls))} à 5 appels par seconde.
            </>
          )}
        </p>
        <p className="text-[0.8125rem] text-ink-soft">
          {data.environment
            ? `Connexion\u00a0: ${ENVIRONMENT_LABELS[data.environment].label}.`
            : 'Aucun identifiant n’est enregistré pour cette opération.'}
          {blocked > 0 &&
            ` ${formatCount(blocked, 'point bloqué n’est pas appelé', 'points bloqués ne sont pas appelés')}.`}
        </p>
      </div>
    </div>
  )
}
