import type { HealthMeasure } from '@voisol/contract/health'
import type { Db } from '../../../db/client.ts'
import { loadKnownMigrations } from '../../../db/migrate.ts'
import type { Deps } from '../../../deps.ts'
import { COMMIT_ID, VERSION } from '../../../version.ts'
import { listHealthAlerts } from './health-alerts.ts'
import { getHealthLevel, type HealthMeasures, METRICS, type MetricName, measureHealth } from './health-metrics.ts'
import { listHealthJobs } from './scheduled-jobs.ts'

const toMeasure = (metric: MetricName, measured: HealthMeasures): HealthMeasure => {
  const row: { warning?: number; critical?: number } & (typeof METRICS)[MetricName] = METRICS[metric]
  const value = measured[metric]
  return {
    metric,
    label: row.label,
    group: row.group,
    unit: row.unit,
    value,
    level: getHealthLevel(row, value),
    warning: row.warning ?? null,
    critical: row.critical ?? null,
    advice: row.advice,
  }
}

const VERSIONS_QUERY = `
  select current_setting('server_version') as postgres, (select count(*)::int from drizzle.__drizzle_migrations) as applied`

export async function loadHealth(db: Db, deps: Deps) {
  const measured = await measureHealth(deps)
  const { rows } = await db.$client.query<{ postgres: string; applied: number }>(VERSIONS_QUERY)
  return {
    measuredAt: new Date().toISOString(),
    version: VERSION,
    commit: COMMIT_ID ?? null,
    postgres: rows[0]?.postgres ?? '',
    migrations: { applied: rows[0]?.applied ?? 0, known: loadKnownMigrations().length },
    measures: Object.keys(METRICS).map((metric) => toMeasure(metric as MetricName, measured)), // its own keys
    jobs: await listHealthJobs(db, new Date()),
    alerts: await listHealthAlerts(db),
  }
}

/** Stores at most one sample of each measure per five minutes, however often the job runs. */
export async function storeHealthSamples(db: Db, measured: HealthMeasures): Promise<void> {
  const known = Object.entries(measured).filter(([, value]) => value !== null)
  await db.$client.query(
    `insert into health_samples (metric, at, value)
     select s.metric, date_bin('5 minutes', now(), timestamptz '2020-01-01'), s.value
       from unnest($1::text[], $2::float8[]) as s (metric, value) on conflict do nothing`,
    [known.map(([metric]) => metric), known.map(([, value]) => value)],
  )
}

const HISTORY_QUERY = `
  select slot as at, case when $2 then min(s.value) else max(s.value) end as value
    from generate_series(date_bin('6 hours', now(), timestamptz '2020-01-01') - interval '30 days',
                         date_bin('6 hours', now(), timestamptz '2020-01-01'), interval '6 hours') as slot
    left join health_samples s on s.metric = $1 and s.at >= slot and s.at < slot + interval '6 hours'
   group by slot order by slot`

/** The worst value of every six hours, over thirty days. */
export async function loadMetricHistory(db: Db, metric: string, falling: boolean) {
  const { rows } = await db.$client.query<{ at: Date; value: number | null }>(HISTORY_QUERY, [metric, falling])
  return { points: rows.map(({ at, value }) => ({ at: at.toISOString(), value })) }
}
