import pg from 'pg'

const PROBE_TIMEOUT_MS = 4000
/** A backend that has ended or is idle will not answer; a hidden one may well be working. */
const WORKING_BACKENDS_QUERY = `
  select pg_backend_pid() = $1 as direct,
         array(select pid from pg_stat_activity where pid = any($2::int[]) and coalesce(state, '') not like 'idle%') as working`
/** Not one that got the same process id since: it started after ours. */
const TERMINATE_BACKENDS = `
  select pg_terminate_backend(pid)
    from pg_stat_activity join unnest($1::int[], $2::float8[]) as lost (pid, age) using (pid)
   where usename = current_user and backend_start <= now() - make_interval(secs => lost.age)`

type ProbeAnswer = { direct: boolean; working: number[] }
/** A backend, and for how many seconds we have known it. */
export type LostBackend = { pid: number; age: number }

export const POOLER_ADVICE =
  'Un répartiteur de connexions est devant PostgreSQL\u00a0: s’il les partage entre transactions, donnez DATABASE_POOLER=transaction.'
/** Whether a pooler answers at this address instead of PostgreSQL. */
export const isBehindPooler = (url: string) =>
  probeBackends({ connectionString: url }, [], []).then(
    (direct) => !direct,
    () => false,
  )

/**
 * On a new connection: which of these backends are working. Lost ones are terminated, which frees their locks:
 * PostgreSQL might not notice for minutes that nobody listens. Undefined behind a pooler, whose process ids are not
 * those of PostgreSQL.
 */
export async function probeBackends(
  options: pg.PoolConfig,
  pids: number[],
  lost: LostBackend[],
): Promise<Set<number> | undefined> {
  const client = new pg.Client({
    ...options,
    application_name: 'voisol-probe',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  // The promises below report it too; without a listener the event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const own = 'processID' in client ? client.processID : undefined
    const { rows } = await client.query<ProbeAnswer>(WORKING_BACKENDS_QUERY, [own, pids])
    if (!rows[0]?.direct) return undefined
    if (lost.length) await client.query(TERMINATE_BACKENDS, [lost.map(({ pid }) => pid), lost.map(({ age }) => age)])
    return new Set(rows[0].working)
  } finally {
    // A server that does not answer would not acknowledge a disconnect either.
    void client.end().catch(() => {})
  }
}
