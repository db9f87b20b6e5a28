import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createUnavailableError, isDatabaseUnavailable } from './away.ts'
import { type PoolConnectCallback, wrapPoolConnect } from './both-forms.ts'
import { probeBackends } from './probe.ts'
import { isDatabaseRefusal } from './refusal.ts'

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
