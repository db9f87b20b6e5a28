import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isDatabaseRefusal } from './database-errors.ts'
import { createUnavailableError, isDatabaseUnavailable } from './database-unavailable.ts'

const CHECK_INTERVAL_MS = 1000
/** So long without a byte in either direction, and a connection that owes an answer is doubted. */
const MAX_SILENT_CHECKS = 3
/** What was answered meanwhile has the time to be read. */
const LAST_ANSWER_GRACE_MS = 250

/** What pg gives to every client. */
type Client = pg.PoolClient & { readyForQuery: boolean; processID: number; connection: { stream: Socket } }
type ConnectionActivity = { since: number; bytes: number; looks: number }

const getStream = (client: Client) => client.connection.stream
const countTransferredBytes = (client: Client) => getStream(client).bytesRead + getStream(client).bytesWritten
/** It was asked something, and we would hear the answer. */
const owesAnswer = (client: Client) => !client.readyForQuery && !getStream(client).isPaused()
const secondsSince = (since: number) => (performance.now() - since) / 1000

/**
 * Sheds connections that hang. One that owes an answer and is silent is asked about on a new connection: PostgreSQL says
 * whether that backend works. It does not, and the connection is cut; nobody answers at all, and every connection is cut
 * and callers are told at once, until somebody answers again.
 */
export function monitorPool(pool: pg.Pool) {
  const known = new Map<Client, ConnectionActivity>()
  /** Cut, and perhaps still at work at the other end: by number, since when. */
  const lost = new Map<number, number>()
  let away = false
  let asking = false

  function cut(client: Client) {
    lost.set(client.processID, known.get(client)?.since ?? performance.now())
    getStream(client).destroy()
  }

  function listen() {
    for (const [client, seen] of known) {
      const bytes = countTransferredBytes(client)
      const silent = owesAnswer(client) && bytes === seen.bytes
      known.set(client, { since: seen.since, bytes, looks: silent ? seen.looks + 1 : 0 })
    }
  }

  async function cutDead(suspects: Client[], heard: Map<Client, number>) {
    const given = [...lost]
    const working = await probeBackends(
      pool.options,
      suspects.map(({ processID }) => processID),
      given.map(([pid, since]) => ({ pid, age: secondsSince(since) })),
    )
    away = false
    for (const [pid] of given) lost.delete(pid)
    if (!working || suspects.length === 0) return
    await pause(LAST_ANSWER_GRACE_MS)
    for (const client of suspects)
      if (!working.has(client.processID) && owesAnswer(client) && countTransferredBytes(client) === heard.get(client))
        cut(client)
  }

  async function ask(suspects: Client[]) {
    if (asking || pool.ending) return
    asking = true
    const heard = new Map([...known.keys()].map((client) => [client, countTransferredBytes(client)]))
    try {
      await cutDead(suspects, heard)
    } catch (error) {
      // Whoever says that there are too many is there, and so is one who still speaks to another.
      const speaks = [...heard].some(([client, bytes]) => known.has(client) && countTransferredBytes(client) !== bytes)
      away = isDatabaseUnavailable(error) && !isDatabaseRefusal(error, 'crowded') && !speaks
      if (away) for (const client of known.keys()) cut(client)
    } finally {
      asking = false
    }
  }

  pool.on('acquire', (client) => {
    const one = client as Client // as pg makes them
    if (!known.has(one)) known.set(one, { since: performance.now(), bytes: -1, looks: 0 })
  })
  pool.on('remove', (client) => void known.delete(client as Client))
  const timer = setInterval(() => {
    if (pool.ending) return clearInterval(timer)
    listen()
    const suspects = [...known].filter(([, { looks }]) => looks >= MAX_SILENT_CHECKS).map(([client]) => client)
    if (away || lost.size || suspects.length) void ask(suspects)
  }, CHECK_INTERVAL_MS)
  timer.unref()

  const connect = pool.connect.bind(pool)
  pool.connect = wrapPoolConnect((taken: PoolConnectCallback) => {
    if (away) return taken(createUnavailableError(), undefined, () => {})
    connect((error, client, release) => {
      if (error && isDatabaseUnavailable(error)) void ask([])
      taken(error, client, release)
    })
  })
}

/** When nobody was served for this long, the queue is stalled. */
const STALLED_QUEUE_MS = 2000
/** A longer wait would exceed the timeout of the pool. */
const MAX_WAIT_MS = 4000
/** The rate is computed from this many served callers. */
const SAMPLE_SIZE = 16

const createQueueFullError = () => Object.assign(new Error('the line for a connection is too long'), { code: '53300' })

/** A caller that would wait for a connection in vain is refused at once, while those before it are served. */
export function limitPoolQueue(pool: pg.Pool, now: () => number = () => performance.now()) {
  /** When the last callers were served since the queue exists; before them, when it began. */
  let served: number[] = []
  const waitingFor = () => pool.waitingCount
  const standsStill = () => now() - (served.at(-1) ?? now()) > STALLED_QUEUE_MS
  const isTooLong = () => {
    const [first] = served
    if (first === undefined || served.length <= SAMPLE_SIZE) return false
    return (waitingFor() * (now() - first)) / SAMPLE_SIZE > MAX_WAIT_MS
  }

  pool.on('acquire', () => {
    if (waitingFor() > 0) served = [...served, now()].slice(-SAMPLE_SIZE - 1)
  })
  const connect = pool.connect.bind(pool)
  pool.connect = wrapPoolConnect((taken: PoolConnectCallback) => {
    if (waitingFor() === 0) served = [now()]
    else if (standsStill() || isTooLong()) return taken(createQueueFullError(), undefined, () => {})
    connect(taken)
  })
}

export type PoolConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: pg.PoolClient['release'],
) => void

/** Builds both forms of `pool.connect`, promise and callback, from the callback form; the pool itself uses that one. */
export const wrapPoolConnect = (take: (taken: PoolConnectCallback) => void): pg.Pool['connect'] =>
  ((taken?: PoolConnectCallback) =>
    taken
      ? take(taken)
      : new Promise((resolve, reject) => {
          take((error, client) => (client ? resolve(client) : reject(error)))
        })) as pg.Pool['connect'] // both of its forms

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
type LostBackend = { pid: number; age: number }

export const POOLER_ADVICE =
  'Un répartiteur de connexions est devant PostgreSQL\u00a0: s’il les partage entre transactions, donnez DATABASE_POOLER=transaction.'
/** Whether a pooler answers at this address instead of PostgreSQL. */
export const isBehindPooler = async (url: string) => !(await probeBackends({ connectionString: url }, [], []))

/**
 * On a new connection: which of these backends are working. Lost ones are terminated, which frees their locks:
 * PostgreSQL might not notice for minutes that nobody listens. Undefined behind a pooler, whose process ids are not
 * those of PostgreSQL.
 */
async function probeBackends(
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
