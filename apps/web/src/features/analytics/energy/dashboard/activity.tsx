import { useQuery } from '@tanstack/react-query'
import { audit } from '@voisol/contract/audit'
import { Card } from '../../../../components/card.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { formatRelativeTime } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { describeActivity } from './activity-labels.ts'

export const RecentActivity = withAccess(audit.list, function RecentActivity() {
  const { data, error, refetch } = useQuery({ ...query(audit.list, { query: { size: 8 } }), staleTime: 0 })
  return (
    <Card
      title="Activité récente"
      description="Les dernières actions de l’organisation, telles que le journal d’audit les garde."
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data?.total === 0 && <p className="text-body text-ink-soft">Aucune action n’a encore été enregistrée.</p>}
      <ol className="divide-y divide-line">
        {data?.items.map((entry) => (
          <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 py-2.5 text-body">
            <span>
              {describeActivity(entry)}
              {entry.target && (
                <span className="block text-[0.8125rem] text-ink-soft">{entry.object?.name ?? entry.target}</span>
              )}
            </span>
            <time dateTime={entry.at} className="text-[0.8125rem] text-ink-soft">
              {formatRelativeTime(entry.at)}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  )
})
