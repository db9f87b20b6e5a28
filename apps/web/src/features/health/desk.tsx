import { useQuery } from '@tanstack/react-query'
import { health } from '@voisol/contract/health'
import { formatTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { HealthJobs } from './jobs.tsx'
import { HealthMeasures } from './measures.tsx'
import { healthAlertColumns, slowRouteColumns } from './tables.tsx'
import { HEALTH_LEVEL_LABELS } from './words.ts'

const REFRESH_MS = 60_000

/** The house itself: what is measured, what is due, what went wrong, and what to do about it. */
export function HealthPanel() {
  const { data, error, refetch } = useQuery({ ...query(health.get, {}), refetchInterval: REFRESH_MS })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const worst =
    (['critical', 'warning'] as const).find((level) => data.measures.some((one) => one.level === level)) ?? 'ok'
  const { applied, known } = data.migrations
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-body text-ink-soft">
        <Badge tone={HEALTH_LEVEL_LABELS[worst].tone}>{HEALTH_LEVEL_LABELS[worst].label}</Badge>
        {`Mesurée à ${formatTime(data.measuredAt)}, gardée trente jours. Une mesure au-delà de son seuil prévient qui tient l’installation.`}
      </p>
      <HealthMeasures measures={data.measures} />
      <Card title="Alertes">
        {data.alerts.length ? (
          <Table label="Alertes" rows={data.alerts} columns={healthAlertColumns} />
        ) : (
          <EmptyState
            title="Aucune alerte"
            why="Aucun seuil n’a été dépassé depuis que la santé est mesurée."
            because="all-well"
          />
        )}
      </Card>
      <HealthJobs jobs={data.jobs} />
      {data.routes.length > 0 && (
        <Card title="Appels les plus lents" description="Les 200 derniers de chaque, dans ce processus.">
          <Table
            label="Appels"
            rows={data.routes.map((one) => ({ ...one, id: one.route }))}
            columns={slowRouteColumns}
          />
        </Card>
      )}
      <Card title="Versions">
        <FactList
          facts={[
            { label: 'Voisol', value: data.commit ? `${data.version} (${data.commit})` : data.version },
            { label: 'PostgreSQL', value: data.postgres },
            { label: 'Migrations', value: `${applied} appliquées sur ${known}` },
          ]}
        />
      </Card>
    </div>
  )
}
