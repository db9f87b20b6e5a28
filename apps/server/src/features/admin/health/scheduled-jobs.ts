import type { HealthJob } from '@voisol/contract/health'
import type { Db } from '../../../db/client.ts'
import { getJobLabel } from '../../../jobs/job-names.ts'

const JOBS_QUERY = `
  select q.name, coalesce(s.cron, '') as cron,
         max(j.completed_on) filter (where j.state = 'completed') as "lastAt",
         count(j.id) filter (where j.state in ('created', 'retry', 'active'))::int as waiting,
         count(j.id) filter (where j.state = 'failed' and j.completed_on > now() - interval '1 day')::int as failed,
         coalesce(bool_or(j.state in ('created', 'retry') and j.start_after < now() - interval '5 minutes'), false) as late
    from jobs.queue q
    left join jobs.schedule s on s.name = q.name
    left join jobs.job j on j.name = q.name
   where q.name not like '\\_\\_pgboss%' and q.name <> 'dead-letter'
   group by q.name, s.cron order by q.name`

type Row = Omit<HealthJob, 'label' | 'lastAt' | 'nextAt'> & { lastAt: Date | null }

/** Every job: its last success, its next run, and its failures. */
export async function listHealthJobs({ $client }: Db, now: Date): Promise<HealthJob[]> {
  const { rows } = await $client.query<Row>(JOBS_QUERY)
  return rows.map((row) => ({
    ...row,
    label: getJobLabel(row.name),
    lastAt: row.lastAt?.toISOString() ?? null,
    nextAt: row.cron ? (getNextCronDate(row.cron, now)?.toISOString() ?? null) : null,
  }))
}

const PARIS = 'Europe/Paris'
const LOOK_AHEAD_DAYS = 32

/** Matches one cron field: stars, steps, lists and ranges, as used by the job definitions. */
function isFieldMatch(field: string, value: number): boolean {
  return field.split(',').some((part) => {
    const [range = '*', step] = part.split('/')
    const [from, to] = range === '*' ? [0, Number.POSITIVE_INFINITY] : range.split('-').map(Number)
    const first = from ?? 0
    const last = range === '*' || step ? (to ?? Number.POSITIVE_INFINITY) : (to ?? first)
    return value >= first && value <= last && (value - first) % Number(step ?? 1) === 0
  })
}

/** The next time a cron expression matches in Paris time; undefined when that is more than a month away. */
export function getNextCronDate(cron: string, now: Date): Date | undefined {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.trim().split(/\s+/)
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(PARIS)
    .round({ smallestUnit: 'minute', roundingMode: 'floor' })
  for (let ahead = 0; ahead <= LOOK_AHEAD_DAYS; ahead++) {
    const date = start.add({ days: ahead }).startOfDay()
    if (!isFieldMatch(day, date.day) || !isFieldMatch(month, date.month) || !isFieldMatch(weekday, date.dayOfWeek % 7))
      continue
    for (let at = date; at.day === date.day; at = at.add({ minutes: 1 }))
      if (
        Temporal.ZonedDateTime.compare(at, start) > 0 &&
        isFieldMatch(hour, at.hour) &&
        isFieldMatch(minute, at.minute)
      )
        return new Date(at.epochMilliseconds)
  }
  return undefined
}
