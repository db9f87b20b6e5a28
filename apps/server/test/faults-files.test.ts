import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { makeUser } from './factories.ts'
import { makeMeter } from './factories-curves.ts'
import { gateOf } from './gate.ts'
import { ask, bodyOf, databaseUrl, freePort, kill, launch, type Running, ready } from './process.ts'
import { startS3 } from './s3.ts'
import { until } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-files-'))
const started: Running[] = []
let s3: Awaited<ReturnType<typeof startS3>> | undefined
let gate: Awaited<ReturnType<typeof gateOf>> | undefined
afterAll(async () => {
  for (const server of started.reverse()) if (server.child.exitCode === null) await kill(server, 'SIGTERM')
  await s3?.close()
  gate?.close()
  rmSync(root, { recursive: true, force: true })
})

/** A machine has a folder of its own. */
async function start(name: string, env: Record<string, string>) {
  const server = launch(join(root, name), await freePort(), { DEMO: 'off', ...env })
  started.push(server)
  await ready(server)
  return server
}

const fileOf = (prm: string, n: number) =>
  `Début;${prm} (W)\n${Array.from({ length: 96 }, (_, at) => {
    const clock = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
    return `2026-03-${String(n + 1).padStart(2, '0')} ${clock}:00;${at * 7 + n}`
  }).join('\n')}\n`

test('F11: what one machine receives another reads, by a store that both see', { timeout: 300_000 }, async () => {
  s3 = await startS3()
  const front = await start('files', { ROLE: 'web', ...s3.settings })
  const home = join(root, 'files')
  // The other may not see the folder of the socket: a gate leads there.
  gate = await gateOf(home)
  await start('back', { ROLE: 'worker', ...gate.env, ...s3.settings })
  const db = openDatabase(await databaseUrl(home), 2)
  const user = await makeUser(db)
  const { prm } = await makeMeter(db, { companyId: user.companyId })
  await db.$client.end()
  const headers = { authorization: `Bearer ${user.token}` }
  const upload = (n: number) =>
    ask(`${front.base}/api/curve-imports?name=jour-${n}.csv`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: fileOf(prm, n),
    })
  // Asked four times by who keeps a file.
  s3.faults.push(503, 503, 503, 503)
  const refused = await upload(0)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push((await bodyOf(await upload(n))).id)
  for (const id of ids) {
    const one = () => ask(`${front.base}/api/curve-imports/${id}`, { headers }).then(bodyOf)
    const read = await until(async () => {
      const said = await one()
      return ['ready', 'failed'].includes(said.status) && said
    }, 120_000)
    expect(read.status).toBe('ready')
  }
})
