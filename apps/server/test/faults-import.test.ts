import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, dayStart, localTime } from '@voisol/energy/calendar'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { makeUser } from './factories.ts'
import { makeMeter } from './factories-energy.ts'
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
afterEach(async () => {
  for (const server of started.splice(0)) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const POINTS = 200
const DAYS = 30
const FROM = '2026-03-10'

/** A change of month and of clock, gaps, and values that differ between columns. */
function wideFile(prms: string[]): string {
  const lines = [`Début;${prms.map((prm) => `${prm} (W)`).join(';')}`]
  for (let minute = dayStart(FROM); minute < dayStart(addDays(FROM, DAYS)); minute += 15) {
    const { day, minuteOfDay } = localTime(minute)
    const clock = `${String(Math.floor(minuteOfDay / 60)).padStart(2, '0')}:${String(minuteOfDay % 60).padStart(2, '0')}`
    const cells = prms.map((_, n) => ((minute / 15 + n) % 101 ? (minute * 7 + n * 13) % 6000 : ''))
    lines.push(`${day} ${clock}:00;${cells.join(';')}`)
  }
  return `${lines.join('\n')}\n`
}

const CONTENT = `
  select count(*)::int as days, max(d.version) as versions,
    md5(string_agg(concat_ws(' ', d.day, d.version, d.step, md5(d.watts), d.present, d.energy, d.peak, d.superseded_at is null),
      ',' order by p.prm, d.day, d.version)) as hash,
    (select md5(string_agg(concat_ws(' ', m.month, m.days, m.present, m.expected, m.energy, m.peak), ',' order by q.prm, m.month))
       from curve_months m join points q on q.company_id = m.company_id and q.id = m.point_id where m.company_id = $1) as months
  from curve_days d join points p on p.company_id = d.company_id and p.id = d.point_id where d.company_id = $1`

const readStoredRow = (dir: string, companyId: number) => readRow(dir, CONTENT, [companyId])

async function makeOwner(dir: string) {
  const db = openDatabase(await getAdminUrl(dir), 2)
  const user = await makeUser(db)
  const prms: string[] = []
  for (let n = 0; n < POINTS; n++) prms.push((await makeMeter(db, { companyId: user.companyId })).prm)
  await db.$client.end()
  return { companyId: user.companyId, prms, headers: { authorization: `Bearer ${user.token}` } }
}
type Owner = Awaited<ReturnType<typeof makeOwner>>

const fetchImport = async (base: string, { headers }: Owner, id: string) =>
  readJsonBody(await fetchWithTimeout(`${base}/api/curve-imports/${id}`, { headers }))

async function upload(base: string, { headers, prms }: Owner): Promise<string> {
  const answer = await fetchWithTimeout(`${base}/api/curve-imports?name=courbes.csv`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: wideFile(prms),
  })
  expect(answer.status).toBe(200)
  return (await readJsonBody(answer)).id
}
const become = (base: string, owner: Owner, id: string, status: string) =>
  waitUntil(async () => (await fetchImport(base, owner, id).catch(() => ({}))).status === status)
const commit = (base: string, { headers }: Owner, id: string) =>
  fetchWithTimeout(`${base}/api/curve-imports/${id}/commit`, { method: 'POST', headers })

describe('F2: kill -9 during an import', { timeout: 900_000 }, () => {
  test('leaves what an uninterrupted one leaves, and goes on by itself', async () => {
    const dir = join(root, 'import')
    const port = await findFreePort()
    const start = () => {
      const server = startServerProcess(dir, port, { DEMO: 'off' })
      started.push(server)
      return server
    }
    let server = start()
    await waitUntilReady(server)
    const [calm, rough] = [await makeOwner(dir), await makeOwner(dir)]
    const first = await upload(server.base, calm)
    await become(server.base, calm, first, 'ready')
    expect((await commit(server.base, calm, first)).status).toBe(200)
    await become(server.base, calm, first, 'done')
    const expected = await readStoredRow(dir, calm.companyId)
    expect(expected).toMatchObject({ days: POINTS * DAYS, versions: 1 })

    const id = await upload(server.base, rough)
    await killServer(server, 'SIGKILL')
    await expireHeartbeats(dir)
    server = start()
    await waitUntilReady(server)
    await become(server.base, rough, id, 'ready')
    expect((await commit(server.base, rough, id)).status).toBe(200)
    await waitUntil(async () => (await fetchImport(server.base, rough, id)).progress >= 30)
    await killServer(server, 'SIGKILL')
    const killed = Date.now()
    await expireHeartbeats(dir)
    server = start()
    const limit = scaleTimeLimit(75_000, await waitUntilReady(server))
    const between = await readStoredRow(dir, rough.companyId)
    expect([0, POINTS * DAYS]).toContain(between.days)
    await become(server.base, rough, id, 'done')
    expect(Date.now() - killed).toBeLessThan(limit)
    expect(await readStoredRow(dir, rough.companyId)).toEqual(expected)
  })
})
