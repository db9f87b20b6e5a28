import { connect } from 'node:net'
import { STATUS_PARTS, type StatusPartName } from '@voisol/contract/incident-states'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { checkDatabase, loadQueueDepths } from '../../../http/health.ts'
import { JOBS_COMPONENT } from '../../../jobs/heartbeat.ts'

const SAMPLE_MINUTES = 5
export const HISTORY_DAYS = 90
const PARIS = 'Europe/Paris'

/** At most one sample per component and slot of five minutes, however often the job runs. */
export async function recordStatusSamples(db: Db, states: Partial<ProbeStates>) {
  const names = Object.keys(states)
  const oks = Object.values(states).map((state) => state !== 'down')
  await db.$client.query(
    `insert into status_samples (component, at, ok)
     select s.component, slot.at, s.ok
       from unnest($1::text[], $2::boolean[]) as s (component, ok),
            (select date_bin($3::interval, now(), timestamptz '2020-01-01') as at) as slot
      where not exists (select from status_samples o where o.component = s.component and o.at = slot.at)`,
    [names, oks, `${SAMPLE_MINUTES} minutes`],
  )
}

/** Slots without a sample since the first one count as unavailable: a stopped service records nothing. */
const HISTORY_QUERY = `
  with bounds as (
    select component, min(at) as first, max(at) as latest
      from status_samples where component = any ($4) group by component
  ), days as (
    select b.component, d::date as day, b.first, b.latest,
           d at time zone $1 as opens, (d + interval '1 day') at time zone $1 as closes
      from bounds b,
           generate_series(date_trunc('day', now() at time zone $1) - make_interval(days => $2::int - 1),
                           now() at time zone $1, '1 day') as d
  )
  select d.component, to_char(d.day, 'YYYY-MM-DD') as date, count(s.at)::int as measured,
         count(s.at) filter (where s.ok)::int as available,
         ceil(extract(epoch from least(d.closes, d.latest + $3::interval) - greatest(d.opens, d.first))
              / extract(epoch from $3::interval))::int as expected
    from days d
    left join status_samples s on s.component = d.component and s.at >= d.opens and s.at < d.closes
   group by d.component, d.day, d.opens, d.closes, d.first, d.latest
   order by d.component, d.day`

type HistoryRow = { component: ComponentName; date: string; measured: number; available: number; expected: number }
type StatusDay = { date: string; availability: number | null }

const computeAvailability = ({ measured, available, expected }: HistoryRow) =>
  measured === 0 ? null : Math.round((10_000 * available) / Math.max(measured, expected)) / 10_000

/** 90 Paris days per component, oldest first. */
export async function loadStatusHistory(db: Db): Promise<Map<ComponentName, StatusDay[]>> {
  const { rows } = await db.$client.query<HistoryRow>(HISTORY_QUERY, [
    PARIS,
    HISTORY_DAYS,
    `${SAMPLE_MINUTES} minutes`,
    Object.keys(COMPONENT_LABELS),
  ])
  const history = new Map<ComponentName, StatusDay[]>()
  for (const row of rows) {
    const days = history.get(row.component) ?? []
    days.push({ date: row.date, availability: computeAvailability(row) })
    history.set(row.component, days)
  }
  return history
}

/** 90 days without any data. */
export function buildEmptyHistory(): StatusDay[] {
  const today = Temporal.Now.plainDateISO(PARIS)
  return Array.from({ length: HISTORY_DAYS }, (_, index) => ({
    date: today.subtract({ days: HISTORY_DAYS - 1 - index }).toString(),
    availability: null,
  }))
}

export const COMPONENT_LABELS = STATUS_PARTS
export type ComponentName = StatusPartName
export type ProbeState = 'operational' | 'degraded' | 'down'
export type ProbeStates = Record<ComponentName, ProbeState>

const PROBE_TIMEOUT_MS = 2000

/** True when a job ran in the last minutes, or when the database is too new for one to have run. */
const HEARTBEAT_QUERY =
  "select count(*) = 0 or max(at) > now() - interval '3 minutes' as beats from status_samples where component = $1"

async function probeQueue(db: Db): Promise<ProbeState> {
  try {
    const [depths, { rows }] = await Promise.all([
      loadQueueDepths(db),
      db.$client.query<{ beats: boolean }>(HEARTBEAT_QUERY, [JOBS_COMPONENT]),
    ])
    const isLate = depths.some(({ late }) => late > 0) || !rows[0]?.beats
    return isLate ? 'degraded' : 'operational'
  } catch {
    return 'down'
  }
}

/** Opens a connection to the mail server without sending anything. */
const probeMail = (url: string | undefined) =>
  new Promise<ProbeState>((resolve) => {
    if (!url) return resolve('down')
    const { hostname, port, protocol } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port || (protocol === 'smtps:' ? 465 : 587)) })
    const end = (state: ProbeState) => {
      socket.destroy()
      resolve(state)
    }
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end('down'))
    socket.once('connect', () => end('operational')).once('error', () => end('down'))
  })

export async function measureStatus({ db, config }: Deps): Promise<Omit<ProbeStates, 'site'>> {
  const [database, mail] = await Promise.all([checkDatabase(db), probeMail(config.SMTP_URL)])
  return {
    database: database ? 'operational' : 'down',
    queue: database ? await probeQueue(db) : 'down',
    mail,
  }
}

/** Where the site answers: this process, or the public address when the site runs elsewhere. */
function getSiteAddress({ ROLE, HOST, PORT, PUBLIC_URL }: Config) {
  if (ROLE === 'worker') return PUBLIC_URL
  if (PORT === 0) return undefined
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** Undefined when the process does not know the address of the site. */
export async function probeSite(config: Config): Promise<ProbeState | undefined> {
  const base = getSiteAddress(config)
  if (!base) return undefined
  try {
    const answer = await fetch(new URL('/healthz', base), { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await answer.arrayBuffer()
    return answer.ok ? 'operational' : 'down'
  } catch {
    return 'down'
  }
}
