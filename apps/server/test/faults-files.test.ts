import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { makeUser } from './factories.ts'
import { makeMeter } from './factories-energy.ts'
import { startDatabaseProxy } from './fault-proxy.ts'
import {
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  readJsonBody,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { startS3Simulator } from './s3.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-files-'))
const started: ServerProcess[] = []
let s3: Awaited<ReturnType<typeof startS3Simulator>> | undefined
let gate: Awaited<ReturnType<typeof startDatabaseProxy>> | undefined
afterAll(async () => {
  for (const server of started.reverse()) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
  await s3?.close()
  gate?.close()
  rmSync(root, { recursive: true, force: true })
})

/** Each machine has its own data folder. */
async function start(name: string, env: Record<string, string>) {
  const server = startServerProcess(join(root, name), await findFreePort(), { DEMO: 'off', ...env })
  started.push(server)
  await waitUntilReady(server)
  return server
}

const buildCurveFile = (prm: string, n: number) =>
  `Début;${prm} (W)\n${Array.from({ length: 96 }, (_, at) => {
    const clock = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
    return `2026-03-${String(n + 1).padStart(2, '0')} ${clock}:00;${at * 7 + n}`
  }).join('\n')}\n`

test('F11: what one machine receives another reads, by a store that both see', async () => {
  s3 = await startS3Simulator()
  const front = await start('files', { ROLE: 'web', ...s3.settings })
  const home = join(root, 'files')
  // The second server may not access the socket folder, so it connects through a proxy.
  gate = await startDatabaseProxy(home)
  await start('back', { ROLE: 'worker', ...gate.env, ...s3.settings })
  const db = openDatabase(await getAdminUrl(home), 2)
  const user = await makeUser(db)
  const { prm } = await makeMeter(db, { companyId: user.companyId })
  await db.$client.end()
  const headers = { authorization: `Bearer ${user.token}` }
  const upload = (n: number) =>
    fetchWithTimeout(`${front.base}/api/curve-imports?name=jour-${n}.csv`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: buildCurveFile(prm, n),
    })
  // Storing a file tries four times.
  s3.faults.push(503, 503, 503, 503)
  const refused = await upload(0)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push((await readJsonBody(await upload(n))).id)
  for (const id of ids) {
    const one = () => fetchWithTimeout(`${front.base}/api/curve-imports/${id}`, { headers }).then(readJsonBody)
    const read = await waitUntil(async () => {
      const said = await one()
      return ['ready', 'failed'].includes(said.status) && said
    })
    expect(read.status).toBe('ready')
  }
})
