import { useQuery } from '@tanstack/react-query'
import { backups, type CopySchedule } from '@voisol/contract/backups'
import { formatCount, formatDate } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const RETENTION_PERIOD_LABELS = { day: 'jour', week: 'semaine', month: 'mois' }

/** What these rules would leave of a copy a day in the long run, and what they would take away now. */
export function RetentionPreview({ retention }: { retention: CopySchedule }) {
  const { days, weeks, months } = retention
  const { data, error, refetch } = useQuery(query(backups.preview, { query: { days, weeks, months } }))
  return (
    <Card
      title="Ce qui serait gardé"
      description={
        data
          ? `${formatCount(data.steady.length, 'copie')} en régime de croisière, de la plus récente à la plus ancienne.`
          : undefined
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <div className="grid gap-4">
          {data.leaving.length > 0 && (
            <p className="rounded-card bg-warning-soft p-3 text-body text-warning">
              {`${formatCount(data.leaving.length, 'copie existante partirait', 'copies existantes partiraient')} à la prochaine copie\u00a0: ${data.leaving.join(', ')}.`}
            </p>
          )}
          <ol className="grid gap-1" aria-label="Copies gardées">
            {data.steady.map(({ day, keptFor }) => (
              <li key={day} className="flex items-center justify-between gap-4 py-1 text-body">
                <span className="tabular">{formatDate(day)}</span>
                <span className="flex flex-wrap justify-end gap-1.5">
                  {keptFor.map((reason) => (
                    <Badge key={reason} tone={reason === 'day' ? 'info' : reason === 'week' ? 'neutral' : 'success'}>
                      {RETENTION_PERIOD_LABELS[reason]}
                    </Badge>
                  ))}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Card>
  )
}
