import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { isBehindPooler } from '../src/db/connection-pool.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { makeUser } from './factories.ts'
import { startDatabaseProxy } from './fault-proxy.ts'
import { pgBouncerVersion, startPgBouncer } from './postgres-servers.ts'
import {
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-pooled-'))
const home = join(root, 'pooled')
const started: ServerProcess[] = []
let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined
let gate: Awaited<ReturnType<typeof startDatabaseProxy>> | undefined
afterAll(async () => {
  for (const server of started.reverse()) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
  bouncer?.stop()
  gate?.close()
  rmSync(root, { recursive: true, force: true })
})
const start = async (dir: string, env: Record<string, string>) => {
  const server = startServerProcess(dir, await findFreePort(), { DEMO: 'off', ...env })
  started.push(server)
  await waitUntilReady(server)
  return server
}

const ROUNDS = process.env.TEST_ALL ? 50 : 10
if (!pgBouncerVersion) console.log('skipped, PgBouncer is not installed: what stands behind it is not tried')
else console.log(`PgBouncer ${pgBouncerVersion}`)

test.skipIf(!pgBouncerVersion)('F14: PgBouncer in transaction mode serves as PostgreSQL does', async () => {
  await start(home, {})
  // It may not access the socket folder, so it connects through a proxy.
  gate = await startDatabaseProxy(home)
  bouncer = await startPgBouncer([gate.url, gate.ownerUrl])
  const [url = '', ownerUrl = ''] = bouncer.urls
  await waitUntil(() => isBehindPooler(url).catch(() => false))
  expect(await isBehindPooler(await getAdminUrl(home))).toBe(false)
  const server = await start(join(root, 'guest'), {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_POOLER: 'transaction',
  })
  const db = openDatabase(await getAdminUrl(home), 2)
  const people = await Promise.all(Array.from({ length: 4 }, () => makeUser(db)))
  await db.$client.end()
  const ledgers = people.map(({ token }) => startAcknowledgedWriter(server.base, token, () => getAdminUrl(home)))
  // The session is looked up by a prepared statement, on any free connection.
  const odd: number[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const headers = { authorization: `Bearer ${people[n % 4]?.token}` }
    const answers = await Promise.all(
      ['auth/me', 'notifications/preferences', 'notifications'].map((path) =>
        fetchWithTimeout(`${server.base}/api/${path}`, { headers }),
      ),
    )
    for (const answer of answers) {
      await answer.arrayBuffer()
      if (!answer.ok) odd.push(answer.status)
    }
  }
  expect(odd).toEqual([])
  for (const ledger of ledgers) {
    await waitUntil(() => ledger.size() > 20)
    expect(await ledger.lost()).toEqual([])
    expect(ledger.refused()).toEqual([])
  }
})
