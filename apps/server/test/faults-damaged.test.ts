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
import { DAMAGED, RESTORE } from '../src/db/damaged.ts'
import { layoutOf } from '../src/db/embedded-layout.ts'
import { queryAs } from './database.ts'
import { makeUser } from './factories.ts'
import { makeOperation } from './factories-operations.ts'
import { ask, bodyOf, databaseUrl, freePort, kill, launch, type Running, ready } from './process.ts'
import { voisol } from './voisol.ts'
import { until } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-damaged-'))
const home = join(root, 'home')
const started: Running[] = []
const start = async () => {
  const server = launch(home, await freePort(), { DEMO: 'off' })
  started.push(server)
  return server
}
afterEach(async () => {
  for (const server of started.splice(0)) if (server.child.exitCode === null) await kill(server, 'SIGTERM')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const PAGE = 8192
const OPERATIONS = 300

/** Other bytes in the middle of a file, as a disk leaves them; the way back is what it returns. */
function spoil(file: string, at: number, length: number): () => void {
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

/** Signed in, with more operations than a page holds. */
async function fill(): Promise<{ token: string; file: string }> {
  const db = openDatabase(await databaseUrl(home), 2)
  try {
    const { companyId, token } = await makeUser(db)
    for (let n = 0; n < OPERATIONS; n++) await makeOperation(db, { companyId, name: `Opération ${n}` })
    const { rows } = await queryAs(await databaseUrl(home), `select pg_relation_filepath('operations') as file`)
    return { token, file: String(rows[0]?.file) }
  } finally {
    await db.$client.end()
  }
}

const refusal = async () => {
  const server = await start()
  expect(await server.exit).toBe(1)
  expect(server.output()).not.toMatch(/\n\s+at |node:internal|Error:/)
  return server.output()
}

test('a damaged page, control file or journal is said in French with what to do; nothing is deleted', {
  timeout: 1_800_000,
}, async () => {
  const first = await start()
  await ready(first, 600_000)
  const { token, file } = await fill()
  await kill(first, 'SIGTERM')
  const { cluster } = await layoutOf(join(home, 'postgres'))
  const table = join(cluster, file)
  const whole = readFileSync(table)
  expect(whole.length).toBeGreaterThan(3 * PAGE)

  // A page in the middle of a table: what reads it is told, the rest is served.
  const mend = spoil(table, PAGE + 2000, 512)
  const server = await start()
  await ready(server, 600_000)
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask(`${server.base}/api/auth/me`, { headers })).status).toBe(200)
  const broken = await ask(`${server.base}/api/acc-operations`, { headers })
  expect([broken.status, await bodyOf(broken)]).toMatchObject([
    500,
    { code: 'damaged', detail: expect.stringContaining('restaurer une copie') },
  ])
  await until(() => /invalid page|checksum/.test(server.output()))
  const readiness = await ask(`${server.base}/readyz`)
  expect([readiness.status, await bodyOf(readiness)]).toEqual([
    200,
    { status: 'ready', warnings: expect.arrayContaining([`${DAMAGED}\u00a0: ${RESTORE}`]) },
  ])
  const doctor = await voisol(['doctor'], { DATA_DIR: home, NODE_ENV: 'development' })
  expect(doctor.code).toBe(1)
  expect(doctor.text).toContain(`✗ ${DAMAGED}`)
  expect(doctor.text).toContain(RESTORE)
  // A copy of it would lack rows: there is none.
  const copy = await voisol(['backup'], { DATA_DIR: home, NODE_ENV: 'development' })
  expect(copy).toMatchObject({ code: 1, text: expect.stringContaining(DAMAGED) })
  await kill(server, 'SIGTERM')
  expect(statSync(table).size).toBe(whole.length)
  mend()

  // The control file: PostgreSQL does not start, and the program says why.
  const control = join(cluster, 'global/pg_control')
  const mendControl = spoil(control, 40, 64)
  const spoiled = readFileSync(control)
  expect(await refusal()).toMatch(
    /La base est abîmée\s: son fichier de contrôle [\s\S]*Rien n’a été effacé\. Restaurez une sauvegarde/,
  )
  expect(readFileSync(control)).toEqual(spoiled)
  mendControl()

  // The journal, where its last checkpoint stands.
  const journal = join(cluster, 'pg_wal')
  const mends = readdirSync(journal)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => spoil(join(journal, name), 0, statSync(join(journal, name)).size))
  const names = readdirSync(journal)
  expect(await refusal()).toMatch(/La base est abîmée\s: son journal [\s\S]*Rien n’a été effacé/)
  expect(readdirSync(journal)).toEqual(names)
  for (const one of mends) one()

  // As it was: everything is there.
  const last = await start()
  await ready(last, 600_000)
  const answer = await ask(`${last.base}/api/acc-operations`, { headers })
  expect([answer.status, (await bodyOf(answer)).total]).toEqual([200, OPERATIONS])
})
