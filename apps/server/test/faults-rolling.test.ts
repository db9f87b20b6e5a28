import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { startLoadBalancer } from './balancer.ts'
import { queryAs } from './database.ts'
import { checkOutPreviousRelease } from './earlier-version.ts'
import { PASSWORD } from './factories.ts'
import {
  fetchWithTimeout,
  findFreePort,
  killServer,
  readJsonBody,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { type SuiteDatabase, startSuiteDatabase } from './suite-database.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-rolling-'))
chmodSync(root, 0o755)
const earlier = checkOutPreviousRelease(root)
if (!earlier) console.log('skipped, git does not know the previous release: a clone of one commit has no history')
const started: ServerProcess[] = []
let postgres: SuiteDatabase | undefined
afterAll(async () => {
  for (const server of started) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

const MIGRATIONS = 'select count(*)::int as n from drizzle.__drizzle_migrations'
const WAIT_TIMEOUT_MS = 600_000

/** An account made over HTTP: the tables are those of the serving version, which the factories do not know. */
async function register(base: string, name: string): Promise<string> {
  const answer = await fetchWithTimeout(`${base}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      firstName: 'Camille',
      lastName: name,
      companyName: `Copropriété ${name}`,
      email: `${name.toLowerCase()}@exemple.fr`,
      password: PASSWORD,
    }),
  })
  const body = await readJsonBody(answer)
  expect({ status: answer.status, body }).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  return body.token
}

test.skipIf(!earlier)(
  'F15: the previous release serves while this version migrates and takes over: nothing is lost or refused',
  { timeout: 1_800_000 },
  async () => {
    const database = await startSuiteDatabase(join(root, 'rolling'))
    postgres = database
    const env = {
      DEMO: 'off',
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: randomBytes(32).toString('base64'),
    }
    const start = async (source?: string) => {
      const server = startServerProcess(join(root, 'data'), await findFreePort(), env, source)
      started.push(server)
      return server
    }
    const count = async () => Number((await queryAs(database.ownerUrl, MIGRATIONS)).rows[0]?.n)

    const old = await start(earlier?.source)
    await waitUntilReady(old, WAIT_TIMEOUT_MS)
    const before = await count()
    const balancer = await startLoadBalancer()
    balancer.add(old.base)
    await waitUntil(() => balancer.isReady(old.base))
    const tokens = [await register(old.base, 'Durand'), await register(old.base, 'Roux')]
    const ledgers = tokens.map((token) => startAcknowledgedWriter(balancer.base, token, async () => database.adminUrl))
    const written = () => ledgers.reduce((sum, ledger) => sum + ledger.size(), 0)
    const grow = async (by: number) => {
      const from = written()
      await waitUntil(() => written() > from + by, WAIT_TIMEOUT_MS)
    }
    await grow(20)

    const next = await start()
    await waitUntilReady(next, WAIT_TIMEOUT_MS)
    expect(await count()).toBeGreaterThan(before)
    balancer.add(next.base)
    await waitUntil(() => balancer.isReady(next.base), WAIT_TIMEOUT_MS)
    // Both serve: the previous version on tables that have changed.
    await grow(60)
    expect(await killServer(old, 'SIGTERM')).toBe(0)
    await grow(20)
    for (const ledger of ledgers) {
      expect(ledger.refused().filter((status) => status !== 503)).toEqual([])
      expect(await ledger.lost()).toEqual([])
    }
    console.log(
      `written over the change from ${earlier?.version}: ${written()}, shed: ${ledgers.flatMap((one) => one.refused()).length}`,
    )
    balancer.close()
  },
)
