import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { replaceHostAndPort } from './cluster.ts'
import { queryAs } from './database.ts'
import { findExposedEntries } from './exposed-files.ts'
import { startSlowProxy } from './fault-proxy.ts'
import {
  findClusterDatabase,
  findFreePort,
  killServer,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from './process.ts'
import { runCli } from './run-cli.ts'
import { type SuiteDatabase, startSuiteDatabase } from './suite-database.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-start-'))
chmodSync(root, 0o755)
const TEST_TIMEOUT_MS = 600_000
const SLOW_MS = 400
const BUSY_MS = 300_000

let postgres: SuiteDatabase
const started: ServerProcess[] = []
const busy: ChildProcess[] = []
const disks: string[] = []
const CAN_MOUNT = (() => {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'voisol-start', root], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!CAN_MOUNT) console.log('skipped, no right to mount a disk that is full, new or read-only')
const start = async (env: Record<string, string>) => {
  const server = startServerProcess(join(root, 'data'), await findFreePort(), { DEMO: 'off', ...env })
  started.push(server)
  return server
}
const directly = () => ({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl })

beforeAll(async () => {
  postgres = await startSuiteDatabase(join(root, 'start'))
  // The database exists and is up to date: the test is about a start, not an installation.
  const first = await start(directly())
  await waitUntilReady(first, TEST_TIMEOUT_MS)
  await killServer(first, 'SIGTERM')
}, TEST_TIMEOUT_MS)
afterEach(async () => {
  for (const child of busy.splice(0)) child.kill('SIGKILL')
  for (const server of started.splice(0)) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
})
afterAll(async () => {
  await postgres?.stop()
  for (const disk of disks) execFileSync('umount', ['-l', disk])
  rmSync(root, { recursive: true, force: true })
})

/** The `heartbeat` job runs each minute and at every start: it shows that a worker runs. */
const JOBS_DONE = `select count(*)::int as n from jobs.job where state = 'completed' and completed_on > $1`
const jobsDoneSince = async (from: Date) => Number((await queryAs(postgres.adminUrl, JOBS_DONE, [from])).rows[0]?.n)

/** A proxy to the same database that delays every statement. */
async function startSlowDatabase() {
  const there = findClusterDatabase(join(root, 'start'))
  const { hostname: host, port } = new URL(postgres.url)
  const socket = new URL(postgres.url).searchParams.get('host') ?? ''
  const proxy = await startSlowProxy(
    there ? { host, port: Number(port || 5432) } : { path: join(socket, '.s.PGSQL.5432') },
    SLOW_MS,
  )
  const through = (url: string) =>
    replaceHostAndPort(url.replace(/\?host=.*$/, ''), { host: '127.0.0.1', port: proxy.port })
  return {
    env: { DATABASE_URL: through(postgres.url), DATABASE_OWNER_URL: through(postgres.ownerUrl) },
    close: proxy.close,
  }
}

describe('a start under bad conditions', { timeout: TEST_TIMEOUT_MS }, () => {
  test('on a database that takes 400 ms for each statement ends ready, says what it waits for, and works', async () => {
    const slow = await startSlowDatabase()
    const from = new Date()
    const server = await start(slow.env)
    const waited = await waitUntilReady(server, TEST_TIMEOUT_MS)
    expect(server.output()).toMatch(/… (préparation|lecture|ouverture|démarrage)[^\n]* \(\d+\ss\)/)
    expect(server.output()).toContain('Voisol est prêt')
    await waitUntil(async () => (await jobsDoneSince(from)) > 0, TEST_TIMEOUT_MS)
    expect(server.output()).not.toContain('timeout exceeded when trying to connect')
    expect(server.child.exitCode).toBeNull()
    console.log(`ready after ${waited} ms with ${SLOW_MS} ms for each statement`)
    expect(await killServer(server, 'SIGTERM')).toBe(0)
    slow.close()
  })

  test('on a machine whose two cores are busy ends ready and works', async () => {
    const spin = `const end = Date.now() + ${BUSY_MS}; while (Date.now() < end);`
    for (let n = 0; n < 2; n++) busy.push(spawn(process.execPath, ['-e', spin], { stdio: 'ignore' }))
    const from = new Date()
    const server = await start(directly())
    const waited = await waitUntilReady(server, TEST_TIMEOUT_MS)
    await waitUntil(async () => (await jobsDoneSince(from)) > 0, TEST_TIMEOUT_MS)
    expect(server.child.exitCode).toBeNull()
    console.log(`ready after ${waited} ms beside two busy processes`)
  })
})

/** A small disk, which only root can make. */
function makeDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(root, 'disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'voisol-start', folder], {
      stdio: 'ignore',
    })
    disks.push(folder)
    return folder
  } catch {
    return undefined
  }
}
const fill = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize))
}

describe('a start that cannot be ends in a sentence', { timeout: TEST_TIMEOUT_MS }, () => {
  const refusal = async (dataDir: string, env: Record<string, string> = {}, port?: number) => {
    const server = startServerProcess(dataDir, port ?? (await findFreePort()), { DEMO: 'off', ...env })
    started.push(server)
    expect(await server.exit).toBe(1)
    expect(server.output()).not.toMatch(/\n\s+at |node:internal|Error:/)
    return server.output()
  }

  test('on a port that is taken, before anything is prepared', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const folder = join(root, 'port')
    expect(await refusal(folder, {}, port)).toContain(`Le port ${port} est déjà utilisé`)
    expect(existsSync(join(folder, 'postgres'))).toBe(false)
    other.close()
  })

  test.skipIf(!CAN_MOUNT)('on a disk that is full, new or in use, and nothing half made is left', async () => {
    const disk = makeDisk(400) ?? ''
    const folder = join(disk, 'data')
    fill(disk)
    expect(await refusal(folder)).toMatch(
      /secret\.key ne peut pas être lue ou écrite \(ENOSPC\)|ne peut pas être utilisé \(ENOSPC/,
    )
    expect(existsSync(join(folder, 'secret.key'))).toBe(false)
    rmSync(join(disk, 'filler'))
    const server = startServerProcess(folder, await findFreePort(), { DEMO: 'off' })
    started.push(server)
    await waitUntilReady(server, TEST_TIMEOUT_MS)
    expect(await killServer(server, 'SIGTERM')).toBe(0)
    fill(disk)
    expect(await refusal(folder)).toMatch(/plus de place sur le disque|\(ENOSPC/)
    rmSync(join(disk, 'filler'))
    const again = startServerProcess(folder, await findFreePort(), { DEMO: 'off' })
    started.push(again)
    await waitUntilReady(again, TEST_TIMEOUT_MS)
  })

  test.skipIf(!CAN_MOUNT)('on a disk that can only be read', async () => {
    const disk = makeDisk(20) ?? ''
    execFileSync('mount', ['-o', 'remount,ro', disk])
    expect(await refusal(join(disk, 'data'))).toMatch(/ne peut pas être utilisé \(EROFS\)/)
    // The folder was created before.
    execFileSync('mount', ['-o', 'remount,rw', disk])
    mkdirSync(join(disk, 'data'))
    execFileSync('mount', ['-o', 'remount,ro', disk])
    expect(await refusal(join(disk, 'data'))).toMatch(/ne peut pas être utilisé \(EROFS\)/)
  })
})

describe('two servers on one data folder', { timeout: TEST_TIMEOUT_MS }, () => {
  test('share its database, and the second says so; one killed without a word is no obstacle; nothing is open to others', async () => {
    const folder = join(root, 'shared')
    const on = async () => {
      const server = startServerProcess(folder, await findFreePort(), { DEMO: 'off' })
      started.push(server)
      await waitUntilReady(server, TEST_TIMEOUT_MS)
      return server
    }
    const first = await on()
    const second = await on()
    expect(first.output()).not.toContain('Un autre Voisol')
    expect(second.output()).toMatch(
      new RegExp(`Un autre Voisol \\(processus ${first.child.pid}\\) tourne déjà sur .*arrêtez l’un des deux`, 's'),
    )
    expect(await killServer(second, 'SIGTERM')).toBe(0)
    await killServer(first, 'SIGKILL')
    const third = await on()
    expect(third.output()).not.toContain('Un autre Voisol')
    expect(findExposedEntries(folder)).toEqual([])
    expect(await killServer(third, 'SIGTERM')).toBe(0)
  })
})

describe('a database that a later version has migrated', { timeout: TEST_TIMEOUT_MS }, () => {
  const LATER = 9_999_999_999_999

  test('is refused at start and by commands that write, with what to do; who runs already goes on', async () => {
    const earlier = await start(directly())
    await waitUntilReady(earlier, TEST_TIMEOUT_MS)
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
        const said = await runCli(command, env)
        expect([command, said.code]).toEqual([command, 1])
        expect(said.text).toContain('version plus récente de Voisol')
      }
      await waitUntilReady(earlier, 1000)
    } finally {
      await queryAs(postgres.ownerUrl, `delete from drizzle.__drizzle_migrations where created_at = ${LATER}`)
    }
  })
})
