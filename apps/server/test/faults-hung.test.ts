import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { makeUser } from './factories.ts'
import { startDatabaseProxy } from './fault-proxy.ts'
import {
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  type ServerProcess,
  scaleTimeLimit,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-hung-'))
const home = join(root, 'hung')
const started: ServerProcess[] = []
const start = (dir: string, port: number, env: Record<string, string>) => {
  const server = startServerProcess(dir, port, { DEMO: 'off', ...env })
  started.push(server)
  return server
}
let gate: Awaited<ReturnType<typeof startDatabaseProxy>>
let server: ServerProcess
let token: string

beforeAll(async () => {
  await waitUntilReady(start(home, await findFreePort(), {}))
  gate = await startDatabaseProxy(home)
  // It starts in parallel with the first test, which has its own proxy.
  server = start(join(root, 'guest'), await findFreePort(), gate.env)
  const db = openDatabase(await getAdminUrl(home), 1)
  token = (await makeUser(db)).token
  await db.$client.end()
})
afterAll(async () => {
  gate?.open()
  for (const one of started.reverse()) if (one.child.exitCode === null) await killServer(one, 'SIGTERM')
  gate?.close()
  rmSync(root, { recursive: true, force: true })
})

const me = () => fetchWithTimeout(`${server.base}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })

describe('one connection that goes silent among others', () => {
  test('is given up, and one that only takes its time is not', async () => {
    const own = await startDatabaseProxy(home)
    const pool: pg.Pool = openDatabase(own.url, 2).$client
    const slow = pool.query('select pg_sleep(8) is not null as slept')
    const other = await pool.connect()
    other.on('error', () => {})
    own.silenceLast()
    await expect(other.query('select 1')).rejects.toThrow('Connection terminated')
    other.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect((await slow).rows).toEqual([{ slept: true }])
    await pool.end()
    own.close()
  })
})

describe('F14: a way to the database that goes silent', () => {
  test.each(['open', 'resume'] as const)('is answered with 503, and left behind when it is back (%s)', async (back) => {
    const limit = scaleTimeLimit(10_000, await waitUntilReady(server))
    const ledger = startAcknowledgedWriter(server.base, token, () => getAdminUrl(home))
    await waitUntil(() => ledger.size() > 5)
    const cut = Date.now()
    gate.silence()
    const away = await waitUntil(async () => {
      const answer = await me().catch(() => undefined)
      return answer?.status === 503 && answer
    })
    const shed = Date.now() - cut
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await away.json()).toMatchObject({ code: 'unavailable' })
    // New callers are not queued for a database that is unavailable.
    await waitUntil(async () => {
      const from = Date.now()
      return (await me()).status === 503 && Date.now() - from < 1000
    })
    const before = ledger.size()
    const from = Date.now()
    gate[back]()
    await waitUntil(async () => (await me().catch(() => undefined))?.status === 200)
    const healed = Date.now() - from
    await waitUntil(() => ledger.size() > before)
    expect(await ledger.lost()).toEqual([])
    console.log(`silent way (${back}): shed after ${shed} ms, served again after ${healed} ms`)
    expect(shed).toBeLessThan(limit)
    expect(healed).toBeLessThan(limit)
  })
})
