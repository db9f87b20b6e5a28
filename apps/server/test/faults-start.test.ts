import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { onMachine } from './cluster.ts'
import { queryAs } from './database.ts'
import { type OwnDatabase, ownDatabase } from './own-database.ts'
import { freePort, kill, launch, onCluster, type Running, ready } from './process.ts'
import { openSlowProxy } from './slow-proxy.ts'
import { voisol } from './voisol.ts'
import { until } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-start-'))
chmodSync(root, 0o755)
const PATIENCE_MS = 600_000
const SLOW_MS = 400
const BUSY_MS = 300_000

let postgres: OwnDatabase
const started: Running[] = []
const busy: ChildProcess[] = []
const start = async (env: Record<string, string>) => {
  const server = launch(join(root, 'data'), await freePort(), { DEMO: 'off', ...env })
  started.push(server)
  return server
}
const directly = () => ({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl })

beforeAll(async () => {
  postgres = await ownDatabase(join(root, 'start'))
  // The database is there and up to date: what is tried here is a start, not an installation.
  const first = await start(directly())
  await ready(first, PATIENCE_MS)
  await kill(first, 'SIGTERM')
}, PATIENCE_MS)
afterEach(async () => {
  for (const child of busy.splice(0)) child.kill('SIGKILL')
  for (const server of started.splice(0)) if (server.child.exitCode === null) await kill(server, 'SIGTERM')
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(root, { recursive: true, force: true })
})

/** What `heartbeat` writes each minute, and at every start: a worker is at work. */
const JOBS_DONE = `select count(*)::int as n from jobs.job where state = 'completed' and completed_on > $1`
const jobsDoneSince = async (from: Date) => Number((await queryAs(postgres.adminUrl, JOBS_DONE, [from])).rows[0]?.n)

/** A way to the same database on which every statement waits. */
async function openSlowWay() {
  const there = onCluster(join(root, 'start'))
  const { hostname: host, port } = new URL(postgres.url)
  const socket = new URL(postgres.url).searchParams.get('host') ?? ''
  const proxy = await openSlowProxy(
    there ? { host, port: Number(port || 5432) } : { path: join(socket, '.s.PGSQL.5432') },
    SLOW_MS,
  )
  const through = (url: string) => onMachine(url.replace(/\?host=.*$/, ''), { host: '127.0.0.1', port: proxy.port })
  return {
    env: { DATABASE_URL: through(postgres.url), DATABASE_OWNER_URL: through(postgres.ownerUrl) },
    close: proxy.close,
  }
}

describe('a start under bad conditions', { timeout: PATIENCE_MS }, () => {
  test('on a database that takes 400 ms for each statement ends ready, says what it waits for, and works', async () => {
    const slow = await openSlowWay()
    const from = new Date()
    const server = await start(slow.env)
    const waited = await ready(server, PATIENCE_MS)
    expect(server.output()).toMatch(/… (préparation|lecture|ouverture|démarrage)[^\n]* \(\d+\ss\)/)
    expect(server.output()).toContain('Voisol est prêt')
    await until(async () => (await jobsDoneSince(from)) > 0, PATIENCE_MS)
    expect(server.output()).not.toContain('timeout exceeded when trying to connect')
    expect(server.child.exitCode).toBeNull()
    console.log(`ready after ${waited} ms with ${SLOW_MS} ms for each statement`)
    expect(await kill(server, 'SIGTERM')).toBe(0)
    slow.close()
  })

  test('on a machine whose two cores are busy ends ready and works', async () => {
    const spin = `const end = Date.now() + ${BUSY_MS}; while (Date.now() < end);`
    for (let n = 0; n < 2; n++) busy.push(spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }))
    const from = new Date()
    const server = await start(directly())
    const waited = await ready(server, PATIENCE_MS)
    await until(async () => (await jobsDoneSince(from)) > 0, PATIENCE_MS)
    expect(server.child.exitCode).toBeNull()
    console.log(`ready after ${waited} ms beside two busy processes`)
  })
})

describe('a database that a later version has migrated', { timeout: PATIENCE_MS }, () => {
  const LATER = 9_999_999_999_999

  test('is refused at start and by commands that write, with what to do; who runs already goes on', async () => {
    const earlier = await start(directly())
    await ready(earlier, PATIENCE_MS)
    await queryAs(
      postgres.ownerUrl,
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${LATER})`,
    )
    try {
      const server = await start(directly())
      expect(await server.exit).toBe(1)
      expect(server.output()).toMatch(/mise à jour par une version plus récente de Voisol/)
      expect(server.output()).toContain('Lancez cette version plus récente')
      expect(server.output()).not.toMatch(/\n\s+at |node:internal|Error:/)
      const env = { ...directly(), DATA_DIR: join(root, 'data'), NODE_ENV: 'development' }
      for (const command of [['migrate'], ['user', 'list'], ['backup'], ['doctor']]) {
        const said = await voisol(command, env)
        expect([command, said.code]).toEqual([command, 1])
        expect(said.text).toContain('version plus récente de Voisol')
      }
      await ready(earlier, 1000)
    } finally {
      await queryAs(postgres.ownerUrl, `delete from drizzle.__drizzle_migrations where created_at = ${LATER}`)
    }
  })
})
