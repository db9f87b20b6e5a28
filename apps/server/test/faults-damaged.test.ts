import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openDatabase } from '../src/db/client.ts'
import { DATABASE_CORRUPTED, RESTORE_ADVICE } from '../src/db/database-errors.ts'
import { resolveClusterLayout } from '../src/db/embedded-cluster.ts'
import { queryAs } from './database.ts'
import { makeUser } from './factories.ts'
import { makeOperation } from './factories-energy.ts'
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
import { runCli } from './run-cli.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-damaged-'))
const home = join(root, 'home')
const started: ServerProcess[] = []
const start = async () => {
  const server = startServerProcess(home, await findFreePort(), { DEMO: 'off' })
  started.push(server)
  return server
}
afterEach(async () => {
  for (const server of started.splice(0)) if (server.child.exitCode === null) await killServer(server, 'SIGTERM')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const PAGE = 8192
const OPERATIONS = 300

/** Overwrites bytes in the middle of a file, as a faulty disk would; returns a function that restores them. */
function corruptFile(file: string, at: number, length: number): () => void {
  const swap = (bytes: Buffer) => {
    const handle = openSync(file, 'r+')
    const before = Buffer.alloc(length)
    readSync(handle, before, 0, length, at)
    writeSync(handle, bytes, 0, length, at)
    closeSync(handle)
    return before
  }
  const before = swap(Buffer.alloc(length, 0xa5))
  return () => void swap(before)
}

/** A signed-in user, with more operations than fit on a page. */
async function fill(): Promise<{ token: string; file: string }> {
  const db = openDatabase(await getAdminUrl(home), 2)
  try {
    const { companyId, token } = await makeUser(db)
    for (let n = 0; n < OPERATIONS; n++) await makeOperation(db, { companyId, name: `Opération ${n}` })
    const { rows } = await queryAs(await getAdminUrl(home), `select pg_relation_filepath('operations') as file`)
    return { token, file: String(rows[0]?.file) }
  } finally {
    await db.$client.end()
  }
}

const getStartFailure = async () => {
  const server = await start()
  expect(await server.exit).toBe(1)
  expect(server.output()).not.toMatch(/\n\s+at |node:internal|Error:/)
  return server.output()
}

test('a damaged page, control file or journal is said in French with what to do; nothing is deleted', {
  timeout: 1_800_000,
}, async () => {
  const first = await start()
  await waitUntilReady(first, 600_000)
  const { token, file } = await fill()
  await killServer(first, 'SIGTERM')
  const { cluster } = await resolveClusterLayout(join(home, 'postgres'))
  const table = join(cluster, file)
  const whole = readFileSync(table)
  expect(whole.length).toBeGreaterThan(3 * PAGE)

  // A page in the middle of a table: reads of it fail with a message, the rest is served.
  const mend = corruptFile(table, PAGE + 2000, 512)
  const server = await start()
  await waitUntilReady(server, 600_000)
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetchWithTimeout(`${server.base}/api/auth/me`, { headers })).status).toBe(200)
  const broken = await fetchWithTimeout(`${server.base}/api/acc-operations`, { headers })
  expect([broken.status, await readJsonBody(broken)]).toMatchObject([
    500,
    { code: 'damaged', detail: expect.stringContaining('restaurer une copie') },
  ])
  await waitUntil(() => /invalid page|checksum/.test(server.output()))
  const readiness = await fetchWithTimeout(`${server.base}/readyz`)
  expect([readiness.status, await readJsonBody(readiness)]).toEqual([
    200,
    { status: 'ready', warnings: expect.arrayContaining([`${DATABASE_CORRUPTED}\u00a0: ${RESTORE_ADVICE}`]) },
  ])
  const doctor = await runCli(['doctor'], { DATA_DIR: home, NODE_ENV: 'development' })
  expect(doctor.code).toBe(1)
  expect(doctor.text).toContain(`✗ ${DATABASE_CORRUPTED}`)
  expect(doctor.text).toContain(RESTORE_ADVICE)
  // A backup would lack rows, so it is refused.
  const copy = await runCli(['backup'], { DATA_DIR: home, NODE_ENV: 'development' })
  expect(copy).toMatchObject({ code: 1, text: expect.stringContaining(DATABASE_CORRUPTED) })
  await killServer(server, 'SIGTERM')
  expect(statSync(table).size).toBe(whole.length)
  mend()

  // The control file: PostgreSQL does not start, and the program says why.
  const control = join(cluster, 'global/pg_control')
  const mendControl = corruptFile(control, 40, 64)
  const spoiled = readFileSync(control)
  expect(await getStartFailure()).toMatch(
    /La base est abîmée\s: son fichier de contrôle [\s\S]*Rien n’a été effacé\. Restaurez une sauvegarde/,
  )
  expect(readFileSync(control)).toEqual(spoiled)
  mendControl()

  // The write-ahead log, at its last checkpoint.
  const journal = join(cluster, 'pg_wal')
  const mends = readdirSync(journal)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => corruptFile(join(journal, name), 0, statSync(join(journal, name)).size))
  const names = readdirSync(journal)
  expect(await getStartFailure()).toMatch(/La base est abîmée\s: son journal [\s\S]*Rien n’a été effacé/)
  expect(readdirSync(journal)).toEqual(names)
  for (const one of mends) one()

  // After repair, everything is there.
  const last = await start()
  await waitUntilReady(last, 600_000)
  const answer = await fetchWithTimeout(`${last.base}/api/acc-operations`, { headers })
  expect([answer.status, (await readJsonBody(answer)).total]).toEqual([200, OPERATIONS])
})
