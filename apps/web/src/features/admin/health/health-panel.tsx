import { useQuery } from '@tanstack/react-query'
import type { HealthJob } from '@voisol/contract/health'
import { type HealthLevel, type HealthMeasure, health } from '@voisol/contract/health'
import { useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Table } from '../../../components/table.tsx'
import { Sparkline } from '../../../components/tile.tsx'
import { formatCount, formatNumber, formatPercent, formatTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { healthAlertColumns, healthJobColumns, slowRouteColumns } from './tables.tsx'

const REFRESH_MS = 60_000

const isIdleJob = ({ late, failed, waiting }: HealthJob) => !late && failed === 0 && waiting === 0

/** What wants a look comes first; the many that rest are shown to whoever asks for them. */
function HealthJobs({ jobs }: { jobs: HealthJob[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const activeJobs = jobs.filter((job) => !isIdleJob(job))
  const idleJobs = jobs.filter(isIdleJob)
  const rows = (showsAll ? [...activeJobs, ...idleJobs] : activeJobs).map((job) => ({ ...job, id: job.name }))
  return (
    <Card title="Tâches" description="Ce qui tourne seul, et quand.">
      {rows.length > 0 ? (
        <Table label="Tâches" rows={rows} columns={healthJobColumns} />
      ) : (
        <p className="text-body">Toutes les tâches sont au repos{'\u00a0'}: rien n’est en retard ni abandonné.</p>
      )}
      {idleJobs.length > 0 && (
        <Button
          variant="secondary"
          size="small"
          className="mt-4"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Masquer celles au repos' : `Voir ${formatCount(idleJobs.length, 'tâche', 'tâches')} au repos`}
        </Button>
      )}
    </Card>
  )
}

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

function Trend({ metric }: { metric: string }) {
  const { data } = useQuery(query(health.history, { query: { metric } }))
  return data ? <Sparkline values={data.points.map(({ value }) => value)} /> : null
}

function MeasureRow({ measure }: { measure: HealthMeasure }) {
  const { label, level, value, advice, metric } = measure
  return (
    <li className="grid gap-1 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 text-body">
          <span className="block font-medium">{label}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{formatThreshold(measure)}</span>
        </span>
        <span className="flex items-center gap-3">
          <Trend metric={metric} />
          <span className="tabular text-body font-semibold">{formatMeasureValue(measure)}</span>
          {value === null ? (
            <Badge>Non mesuré</Badge>
          ) : (
            <Badge tone={HEALTH_LEVEL_LABELS[level].tone}>{HEALTH_LEVEL_LABELS[level].label}</Badge>
          )}
        </span>
      </div>
      {level !== 'ok' && <p className="text-body text-ink-soft">{`À faire\u00a0: ${advice}`}</p>}
    </li>
  )
}

/** What is measured, by what it is of, with thirty days of it. */
const HealthMeasures = ({ measures }: { measures: HealthMeasure[] }) => (
  // Cards of different heights: columns leave no hole beside a short one.
  <div className="gap-4 lg:columns-2">
    {[...Map.groupBy(measures, ({ group }) => group)].map(([group, own]) => (
      <Card key={group} title={group} className="mb-4 break-inside-avoid">
        <ul className="grid divide-y divide-line">
          {own.map((measure) => (
            <MeasureRow key={measure.metric} measure={measure} />
          ))}
        </ul>
      </Card>
    ))}
  </div>
)

const HEALTH_LEVEL_LABELS: Record<HealthLevel, { label: string; tone: Tone }> = {
  ok: { label: 'Bien', tone: 'success' },
  warning: { label: 'À regarder', tone: 'warning' },
  critical: { label: 'À régler', tone: 'danger' },
}

const UNIT_FORMATTERS: Record<HealthMeasure['unit'], (value: number) => string> = {
  bytes: (value) =>
    value < 1e9 ? `${formatNumber(value / 1e6, 0)}\u00a0Mo` : `${formatNumber(value / 1e9, 1)}\u00a0Go`,
  share: (value) => formatPercent(value, 0),
  count: (value) => formatNumber(value, 0),
  ms: (value) => `${formatNumber(value, 0)}\u00a0ms`,
  hours: (value) => (value < 48 ? `${formatNumber(value, 0)}\u00a0h` : formatCount(Math.round(value / 24), 'jour')),
  days: (value) => formatCount(Math.round(value), 'jour'),
}
const formatMeasureValue = ({ unit, value }: Pick<HealthMeasure, 'unit' | 'value'>) =>
  value === null ? '—' : UNIT_FORMATTERS[unit](value)
const formatThreshold = ({ unit, warning }: HealthMeasure) =>
  warning === null ? 'sans seuil' : `seuil ${UNIT_FORMATTERS[unit](warning)}`
