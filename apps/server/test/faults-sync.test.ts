import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays } from '@voisol/energy/calendar'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { syncSettings } from '../src/db/schema/index.ts'
import { getToday } from '../src/today.ts'
import { startTestSimulator, type TestSimulator } from './enedis-simulator.ts'
import { makeUser } from './factories.ts'
import { makeMeter, makeOperation } from './factories-energy.ts'
import {
  expireHeartbeats,
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  readJsonBody,
  readRow,
  type ServerProcess,
  scaleTimeLimit,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-faults-'))
const started: ServerProcess[] = []
const boxes: TestSimulator[] = []
afterEach(async () => {
  for (const server of started.splice(0)) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
  for (const box of boxes.splice(0)) await box.stop()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const POINTS = 40
const DAYS = 182
const TO = addDays(getToday(), -1)
const FROM = addDays(TO, -DAYS)

const CONTENT = `
  select count(*)::int as days, max(d.version) as versions,
    md5(string_agg(concat_ws(' ', p.prm, d.day, d.version, d.step, md5(d.watts), d.present, d.energy), ','
      order by p.prm, d.day, d.version)) as hash
  from curve_days d join points p on p.company_id = d.company_id and p.id = d.point_id where d.company_id = $1`

const readStoredRow = (dir: string, companyId: number) => readRow(dir, CONTENT, [companyId])

/** Two companies with the same meters. */
async function makeOwner(dir: string) {
  const db = openDatabase(await getAdminUrl(dir), 2)
  const { companyId, token } = await makeUser(db)
  const operation = await makeOperation(db, { companyId })
  const prms = Array.from({ length: POINTS }, (_, n) => String(50_000_000_000_000 + n))
  for (const prm of prms) await makeMeter(db, { companyId, operationId: operation.id, prm, startsOn: FROM })
  // The daily synchronisation would add a day when it is due.
  await db.insert(syncSettings).values({ companyId, enabled: false })
  await db.$client.end()
  return { companyId, operationId: operation.id, prms, headers: { authorization: `Bearer ${token}` } }
}
type Owner = Awaited<ReturnType<typeof makeOwner>>

async function begin(base: string, { headers, operationId }: Owner): Promise<string> {
  const answer = await fetchWithTimeout(`${base}/api/sync/tasks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'load-curve', operationId, from: FROM, to: TO }),
  })
  expect(answer.status).toBe(200)
  return (await readJsonBody(answer)).id
}
const fetchTask = async (base: string, { headers }: Owner, id: string) =>
  readJsonBody(await fetchWithTimeout(`${base}/api/sync/tasks/${id}`, { headers })).catch(() => ({}))
const waitForProgress = (base: string, owner: Owner, id: string, progress: number) =>
  waitUntil(async () => {
    const task = await fetchTask(base, owner, id)
    return task.progress >= progress && task
  })

describe('F2: kill -9 in the middle of a synchronisation', { timeout: 900_000 }, () => {
  test('leaves what an uninterrupted one leaves, and goes on by itself within a minute', async () => {
    const dir = join(root, 'sync')
    const port = await findFreePort()
    const sandbox = await startTestSimulator()
    boxes.push(sandbox)
    const start = () => {
      const env = { DEMO: 'off', ENEDIS_SANDBOX_URL: sandbox.url, ENEDIS_QUOTAS: 'off' }
      const server = startServerProcess(dir, port, env)
      started.push(server)
      return server
    }
    let server = start()
    await waitUntilReady(server)
    const [calm, rough] = [await makeOwner(dir), await makeOwner(dir)]
    const points = calm.prms.map((prm) => ({ prm, direction: 'consumption', from: FROM }))
    await sandbox.control('PUT', 'points', points)
    const first = await begin(server.base, calm)
    expect(await waitForProgress(server.base, calm, first, 100)).toMatchObject({ status: 'succeeded' })
    const expected = await readStoredRow(dir, calm.companyId)
    expect(expected).toMatchObject({ days: POINTS * DAYS, versions: 1 })

    const id = await begin(server.base, rough)
    await waitForProgress(server.base, rough, id, 10)
    await killServer(server, 'SIGKILL')
    const killed = Date.now()
    await expireHeartbeats(dir)
    server = start()
    const limit = scaleTimeLimit(60_000, await waitUntilReady(server))
    const between = await fetchTask(server.base, rough, id)
    expect(between.status).toBe('running')
    await waitForProgress(server.base, rough, id, between.progress + 1)
    expect(Date.now() - killed).toBeLessThan(limit)
    expect(await waitForProgress(server.base, rough, id, 100)).toMatchObject({ status: 'succeeded' })
    expect(await readStoredRow(dir, rough.companyId)).toEqual(expected)
  })
})
