import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listDays } from '@voisol/energy/calendar'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type Db, openDatabase, transaction } from '../src/db/client.ts'
import { allocationDays } from '../src/db/schema/index.ts'
import { createFirstKey } from '../src/features/energy/allocation-keys/create-key.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/store-readings.ts'
import { makeUser } from './factories.ts'
import { buildCurveDay, makeMeter, makeOperation } from './factories-energy.ts'
import {
  expireHeartbeats,
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  readJsonBody,
  type ServerProcess,
  scaleTimeLimit,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-faults-'))
const started: ServerProcess[] = []
afterEach(async () => {
  for (const server of started.splice(0)) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const POINTS = 140
const PERIOD = { from: '2025-01-01', to: '2026-01-01' }
const days = listDays(PERIOD.from, PERIOD.to)

async function withDatabase<T>(dir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(await getAdminUrl(dir), 2)
  return work(db).finally(() => db.$client.end())
}

/** A year of an operation: two plants, and homes with different curves. */
const makeOwner = (dir: string) =>
  withDatabase(dir, async (db) => {
    const { companyId, token } = await makeUser(db)
    const { id: operationId } = await makeOperation(db, { companyId })
    for (let n = 0; n < POINTS; n++) {
      const direction = n < 2 ? 'production' : 'consumption'
      const { id } = await makeMeter(db, { companyId, operationId, direction })
      const watts = (at: number) => (n < 2 ? Math.max(0, 60_000 - (at - 48) ** 2 * 60) : (at * 31 + n * 97) % 1500)
      const rows = days.map((day) => buildCurveDay(id, day, watts))
      await storeReadingsAndNotify(db, companyId, rows, { source: 'model', receivedAt: new Date() })
    }
    const actor = { companyId } as never // the other fields of the actor are not read
    const key = { method: 'default', startsOn: PERIOD.from, shares: [] } as const
    await transaction(db, (tx) => createFirstKey(tx, actor, operationId, { ...key, shares: [] }))
    return { operationId, headers: { authorization: `Bearer ${token}` } }
  })
type Owner = Awaited<ReturnType<typeof makeOwner>>

const get = async (base: string, { headers }: Owner, path: string) =>
  readJsonBody(await fetchWithTimeout(`${base}/api/${path}`, { headers, signal: AbortSignal.timeout(60_000) }))

async function begin(base: string, { operationId, headers }: Owner, kind: string) {
  const answer = await fetchWithTimeout(`${base}/api/acc-operations/${operationId}/allocation-runs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...PERIOD, kind }),
    signal: AbortSignal.timeout(60_000),
  })
  const run = await readJsonBody(answer)
  expect([answer.status, run.status]).toEqual([200, 'queued'])
  return run.id
}
const finished = (base: string, owner: Owner, id: string) =>
  waitUntil(async () => {
    const run = await get(base, owner, `allocation-runs/${id}`).catch(() => ({}))
    return run.status === 'done' && run
  })

describe('F2: kill -9 during an allocation', { timeout: 900_000 }, () => {
  test('leaves nothing half done; the run goes on by itself and gives the same figures', async () => {
    const dir = join(root, 'allocation')
    const port = await findFreePort()
    const start = () => {
      const server = startServerProcess(dir, port, { DEMO: 'off' })
      started.push(server)
      return server
    }
    let server = start()
    await waitUntilReady(server)
    const owner = await makeOwner(dir)
    const calm = await finished(server.base, owner, await begin(server.base, owner, 'provisional'))

    const id = await begin(server.base, owner, 'definitive')
    const at = await waitUntil(async () => {
      const { status, progress } = await get(server.base, owner, `allocation-runs/${id}`)
      return status === 'running' && progress > 0 && progress
    })
    await killServer(server, 'SIGKILL')
    const killed = Date.now()
    await expireHeartbeats(dir)
    expect(at).toBeLessThan(96)
    server = start()
    const limit = scaleTimeLimit(75_000, await waitUntilReady(server))
    const between = await get(server.base, owner, `allocation-runs/${id}`)
    if (between.status !== 'done')
      expect(await withDatabase(dir, (db) => db.$count(allocationDays))).toBe(POINTS * days.length)
    const rough = await finished(server.base, owner, id)
    expect(Date.now() - killed).toBeLessThan(limit)
    const facts = ({ inputHash, resultHash, counts, totals, staleAt }: typeof rough) => ({
      inputHash,
      resultHash,
      counts,
      totals,
      staleAt,
    })
    expect(facts(rough)).toEqual(facts(calm))
    expect([rough.daysInForce, rough.progress]).toEqual([365, 100])
    expect(await withDatabase(dir, (db) => db.$count(allocationDays))).toBe(2 * POINTS * days.length)
    const proof = await get(server.base, owner, `allocation-runs/${id}/proof`)
    expect(proof).toMatchObject({ steps: 365 * 96, checked: 365 * 96, broken: 0, above: 0, sameHash: true })
  })
})
