import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EMPTY_NOTICE, listMissingFields } from '@voisol/contract/legal'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { resolveClusterLayout } from '../src/db/embedded-cluster.ts'
import { sleep } from '../src/db/embedded-process.ts'
import { NO_BACKUP_KEY_MESSAGE } from '../src/features/admin/backups/index.ts'
import { NOTICE_INCOMPLETE } from '../src/features/site/legal/index.ts'
import { RELEASE } from '../src/version.ts'
import { startAcknowledgedWriter } from './acknowledged-writer.ts'
import { crashPostgres } from './crash.ts'
import { makeUser } from './factories.ts'
import { startDatabaseProxy } from './fault-proxy.ts'
import { getKillCount, scaleByKills } from './killed-server.ts'
import {
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
/** Every start uses this folder, whatever happened to it before. */
const home = join(root, 'killed')
const started: ServerProcess[] = []
const start = (dir: string, port: number, env?: Record<string, string>) => {
  // Without the demo, whose eighteen months of readings would distort the measure.
  const server = startServerProcess(dir, port, { DEMO: 'off', ...env })
  started.push(server)
  return server
}
afterEach(async () => {
  for (const server of started.splice(0)) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A signed-in administrator and client of one company. */
async function makePeople(): Promise<[string, string]> {
  const db = openDatabase(await getAdminUrl(home), 2)
  try {
    const { companyId, token } = await makeUser(db)
    return [token, (await makeUser(db, { companyId, isAdmin: false })).token]
  } finally {
    await db.$client.end()
  }
}

/** Half of them kill the server, half kill PostgreSQL. */
const KILLS = getKillCount(4)

describe('F1, F4: kill -9', { timeout: scaleByKills(900_000, KILLS) }, () => {
  test(`of the server and of PostgreSQL, ${KILLS} times during writes, loses no acknowledged write`, async () => {
    const port = await findFreePort()
    let server = start(home, port)
    await waitUntilReady(server)
    // The duration of an ordinary start here and now: on a busy machine, elapsed time alone says nothing about the
    // recovery.
    await killServer(server, 'SIGTERM')
    server = start(home, port)
    const limit = Math.max(10_000, 3 * (await waitUntilReady(server)))
    const tokens = await makePeople()
    const ledgers = tokens.map((token) => startAcknowledgedWriter(server.base, token, () => getAdminUrl(home)))
    const acknowledged = () => ledgers.reduce((sum, ledger) => sum + ledger.size(), 0)
    const waits = { server: [] as number[], postgres: [] as number[] }
    for (let n = 0; n < KILLS; n++) {
      await sleep(100 + Math.random() * 300)
      const before = acknowledged()
      if (n % 2 === 0) {
        await killServer(server, 'SIGKILL')
        server = start(home, port)
      } else await crashPostgres(home, n)
      waits[n % 2 === 0 ? 'server' : 'postgres'].push(await waitUntilReady(server))
      // The writers continue by themselves, with their sessions.
      await waitUntil(() => acknowledged() > before)
    }
    expect(acknowledged()).toBeGreaterThan(5 * KILLS)
    for (const ledger of ledgers) expect(await ledger.lost()).toEqual([])
    console.log(`${KILLS} kills: ${acknowledged()} acknowledged writes, none lost`)
    const late = Object.values(waits)
      .flat()
      .filter((wait) => wait > limit)
    expect(late, `milliseconds until ready: ${JSON.stringify(waits)}, at most ${limit}`).toEqual([])
    for (const token of tokens)
      expect(
        (await fetchWithTimeout(`${server.base}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } }))
          .status,
      ).toBe(200)
  })
})

describe('a database that goes away', () => {
  test('gives 503 as problem+json, then service again without a restart', async () => {
    await waitUntilReady(start(home, await findFreePort()))
    const gate = await startDatabaseProxy(home)
    const server = start(join(root, 'guest'), await findFreePort(), gate.env)
    const limit = scaleTimeLimit(10_000, await waitUntilReady(server))
    const [token] = await makePeople()
    const me = () => fetchWithTimeout(`${server.base}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect((await me()).status).toBe(200)
    gate.shut()
    const away = await waitUntil(async () => {
      const answer = await me()
      return answer.status === 503 && answer
    })
    expect(away.headers.get('content-type')).toContain('application/problem+json')
    expect(away.headers.get('retry-after')).toBe('5')
    expect(await away.json()).toMatchObject({ code: 'unavailable', status: 503 })
    const readiness = await fetchWithTimeout(`${server.base}/readyz`)
    expect([readiness.status, (await readJsonBody(readiness)).reasons]).toEqual([
      503,
      ['La base de données ne répond pas.'],
    ])
    expect((await fetchWithTimeout(`${server.base}/healthz`)).status).toBe(200)
    expect((await readJsonBody(await fetchWithTimeout(`${server.base}/api/status`))).state).toBe('down')
    gate.open()
    expect(await waitUntilReady(server)).toBeLessThan(limit)
    expect((await me()).status).toBe(200)
    expect(await killServer(server, 'SIGTERM')).toBe(0)
    gate.shut()
  })
})

describe('F5: SIGTERM under load', () => {
  test('/readyz says 503 at once, what is in flight is answered, exit 0', async () => {
    // However busy the machine, clients see that it is stopping before it is gone.
    const server = start(home, await findFreePort(), { DRAIN_MS: '8000' })
    const limit = scaleTimeLimit(30_000, await waitUntilReady(server))
    const [, token] = await makePeople()
    const broken: string[] = []
    let leaving = false
    const load = async () => {
      while (!leaving) {
        const answer = await fetchWithTimeout(`${server.base}/api/auth/me`, {
          headers: { authorization: `Bearer ${token}` },
        })
        if (answer.status !== 200) broken.push(String(answer.status))
        await answer.arrayBuffer()
      }
    }
    const loads = Array.from({ length: 8 }, () => load().catch((error) => broken.push(String(error))))
    await sleep(300)
    const from = Date.now()
    server.child.kill('SIGTERM')
    const refusal = await waitUntil(async () => {
      const answer = await fetchWithTimeout(`${server.base}/readyz`)
      return answer.status === 503 && answer
    })
    expect((await readJsonBody(refusal)).reasons).toEqual(['Le serveur s’arrête.'])
    await sleep(300)
    leaving = true
    await Promise.all(loads)
    expect(broken).toEqual([])
    expect(await server.exit).toBe(0)
    expect(Date.now() - from).toBeLessThan(limit)
  })
})

describe('a start that cannot be', () => {
  const refusal = async (dir: string, port: number, env?: Record<string, string>) => {
    const server = start(dir, port, env)
    const code = await server.exit
    expect(code).toBe(1)
    expect(server.output()).not.toMatch(/\n\s+at |node:internal|Error:/)
    return server.output()
  }

  test('says that the port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await refusal(home, port)).toContain(`Le port ${port} est déjà utilisé`)
    other.close()
  })

  test('says that the data folder is damaged, and leaves it alone', async () => {
    const dir = join(root, 'damaged')
    const { cluster } = await resolveClusterLayout(join(dir, 'postgres'))
    mkdirSync(cluster)
    writeFileSync(join(cluster, 'PG_VERSION'), 'what?')
    expect(await refusal(dir, await findFreePort())).toContain('Rien n’a été effacé')
  })

  test('says that the database does not answer', async () => {
    const DATABASE_URL = 'postgres://voisol@127.0.0.1:1/voisol'
    const text = await refusal(join(root, 'none'), await findFreePort(), { DATABASE_URL })
    expect(text).toMatch(/La base de données ne répond pas.*ECONNREFUSED/)
  })

  test('names every variable that production lacks', async () => {
    const text = await refusal(join(root, 'none'), await findFreePort(), { NODE_ENV: 'production', LOG_LEVEL: 'loud' })
    for (const name of ['LOG_LEVEL', 'SECRET_KEY', 'DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL'])
      expect(text).toContain(`- ${name}`)
  })
})

describe('a start in production', () => {
  test('says its version and commit, and in French what the copies and the legal notice still lack, and serves', async () => {
    const server = start(join(root, 'production'), await findFreePort(), {
      NODE_ENV: 'production',
      EMBEDDED_DB: 'allow',
      LOG_LEVEL: 'info',
      SECRET_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: 'https://energie.exemple.fr',
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    await waitUntilReady(server)
    const lines = server.output().split('\n')
    const line = lines.find((one) => one.includes(NOTICE_INCOMPLETE)) ?? ''
    for (const name of listMissingFields(EMPTY_NOTICE)) expect(line).toContain(name)
    expect(lines.some((one) => one.includes(NO_BACKUP_KEY_MESSAGE))).toBe(true)
    expect(lines).toContain(`  Voisol ${RELEASE}`)
    const [first = '{}'] = lines.filter((one) => one.startsWith('{'))
    expect(JSON.parse(first)).toMatchObject({ msg: 'start', release: RELEASE })
  })
})
