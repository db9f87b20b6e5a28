import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backups, type CompanyCopy } from '@voisol/contract/backups'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../src/config.ts'
import { getFileKey, storeFile } from '../src/core/stored-files.ts'
import { COMPANY_ARCHIVE, EXCLUDED_TABLES } from '../src/db/schema/company-archive/company-archive.ts'
import { documents } from '../src/db/schema/index.ts'
import { type Deps, openDeps } from '../src/deps.ts'
import { getOwnPublicKeys } from '../src/features/admin/backups/archive-format.ts'
import { exportCompany, quoteIdentifier } from '../src/features/admin/backups/company-export.ts'
import { readCompanyArchive } from '../src/features/admin/backups/read-archive.ts'
import { hashBytes } from '../src/hash.ts'
import { createMailCatcher } from '../src/integrations/mail/catcher.ts'
import { DEAD_LETTER, enqueue, openQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { hashTable, numberOperations } from './archives.ts'
import { buildEndpointPath, type TestServer } from './client.ts'
import { makeUser, PASSWORD } from './factories.ts'
import { allocateBillableMonth, makeBillableMonth } from './factories-billing.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'
import { createLauncher, environmentOf, fillDatabase } from './killed-server.ts'
import { fetchWithTimeout, findFreePort, readJsonBody } from './process.ts'
import { type SuiteDatabase, startSuiteDatabase } from './suite-database.ts'
import { waitUntil } from './wait.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-archive-'))
// As root, PostgreSQL runs under another account that must reach its folder.
chmodSync(root, 0o755)
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
  rmSync(root, { recursive: true, force: true })
})

const FILES = 5
const HEIRS = 4
const TIMEOUT_MS = 240_000
/** What tells of the attempts and the calls, and what is computed again in its own time. */
const NOT_COMPARED = [
  'company_copies',
  'call_counts',
  ...EXCLUDED_TABLES.filter(({ label }) => ['Données recalculées', 'Journal et événements'].includes(label)).flatMap(
    ({ tables }) => tables,
  ),
]

type Person = Awaited<ReturnType<typeof makeUser>>
let database: SuiteDatabase
/** Looks at the database beside the servers. */
let observer: pg.Client
let env: ReturnType<typeof environmentOf>
let launcher: ReturnType<typeof createLauncher>
let deps: Deps
let queue: Awaited<ReturnType<typeof openQueue>>
let victim: ChildProcess
let archive: Buffer
/** The hashes of the archive itself and of the content that is stored last. */
let archiveHash: string
let lastContentHash: string
let heirs: Person[]
/** What an import brings that nobody kills. */
let expected: Awaited<ReturnType<typeof readCompany>>
let expectedCopy: CompanyCopy

const query = (text: string, values: unknown[] = []) => observer.query(text, values)

/** The archive of a company with issued invoices, readings and documents, and empty companies that import it. */
async function fill(server: TestServer) {
  const { db, deps } = server
  const { companyId } = await makeUser(db)
  const here = await makeBillableMonth(server, { companyId })
  // The factories make every point one of a consumer; no way of the product does.
  await query(`update points set segment = 'P4' where company_id = $1 and direction = 'production'`, [companyId])
  await allocateBillableMonth(server, here)
  await issueMonthDocuments(withoutSubscribers(db), await makeMonthFixture(db, { companyId, prefix: 'Z1-' }))
  await numberOperations(query, companyId)
  for (let n = 0; n < FILES; n++) {
    const about = { name: `plan-${n}.pdf`, mediaType: 'application/pdf', content: randomBytes(20_000) }
    const file = await storeFile(db, deps.files, companyId, about)
    const owner = { ownerKind: 'operation', ownerId: here.operation.id }
    await db.insert(documents).values({ companyId, ...owner, fileId: file.id, label: about.name, addedBy: 'Camille' })
  }
  const path = join(root, 'copie.zip')
  await exportCompany(deps, companyId, path)
  archive = readFileSync(path)
  archiveHash = await hashBytes(archive)
  const trusted = getOwnPublicKeys(deps.secrets).map((publicKey) => ({ name: 'ici', publicKey }))
  lastContentHash = readCompanyArchive(archive, { trusted, keep: true }).files.at(-1)?.sha256 ?? ''
  heirs = []
  for (let n = 0; n < HEIRS; n++) heirs.push(await makeUser(db))
}

beforeAll(async () => {
  database = await startSuiteDatabase(join(root, 'archive'))
  closers.push(database.stop)
  observer = new pg.Client({ connectionString: database.adminUrl })
  await observer.connect()
  closers.push(() => observer.end())
  const catcher = await createMailCatcher(join(root, 'mail'))
  closers.push(catcher.close)
  env = environmentOf(root, catcher.url, randomBytes(32).toString('base64'), await findFreePort())
  await fillDatabase(database, env, fill)
  const opened = openDeps(loadConfig(env), database.url, pino({ level: 'silent' }))
  deps = opened.deps
  closers.push(opened.close)
  queue = await openQueue(deps, database.url, jobs, false)
  closers.push(() => stopQueue(queue))
  launcher = createLauncher(database.url, env)
  closers.push(launcher.killAll)
  victim = await launcher.start()
  const calm = takeHeir()
  const id = await upload(calm)
  expect((await confirm(calm, id)).status).toBe(200)
  expectedCopy = await settled(calm, id)
  expect(expectedCopy).toMatchObject({ state: 'done', failure: null, files: FILES })
  expected = await readCompany(calm)
}, TIMEOUT_MS)

const takeHeir = () => {
  const heir = heirs.pop()
  if (!heir) throw new Error('no empty company is left')
  return heir
}

const call = (person: Person, path: string, init: RequestInit = {}) =>
  fetchWithTimeout(`http://127.0.0.1:${env.PORT}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${person.token}`, ...init.headers },
  })

async function findCopy(person: Person, id: string): Promise<CompanyCopy | undefined> {
  const { items } = await readJsonBody(await call(person, backups.list.path))
  return items.find((copy: CompanyCopy) => copy.id === id)
}

const settled = (person: Person, id: string) =>
  waitUntil(async () => {
    const copy = await findCopy(person, id)
    return copy?.state !== 'waiting' && copy
  }, TIMEOUT_MS)

/** An archive that waits for its confirmation. */
async function upload(person: Person): Promise<string> {
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await call(person, `${backups.take.path}?name=copie.zip`, { method: 'POST', headers, body: archive })
  const { id } = await readJsonBody(answer)
  expect([answer.status, (await settled(person, id)).state]).toEqual([200, 'read'])
  return id
}

const confirm = (person: Person, id: string) =>
  call(person, buildEndpointPath(backups.confirm, { id }), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  })

/** Retries begin at once. */
const endDelays = () => query(`update jobs.job set start_after = now() where state = 'retry' and start_after > now()`)

/** The seconds in which a killed server gave no sign of life, and those until somebody looks. */
async function letTimePass() {
  const passed = `interval '20 s'`
  await query(`update jobs.job set heartbeat_on = heartbeat_on - ${passed} where state = 'active'`)
  await query(
    `update jobs.queue set monitor_on = monitor_on - ${passed}, monitor_claim_on = monitor_claim_on - ${passed}`,
  )
  await queue.supervise()
  await endDelays()
}

const jobsEnd = () =>
  waitUntil(async () => {
    await endDelays()
    const { rows } = await query(
      `select count(*)::int as left from jobs.job
        where state < 'completed' and name <> $1 and name not like '\\_\\_%' and start_after < now() + interval '1 minute'`,
      [DEAD_LETTER],
    )
    return rows[0].left === 0
  }, TIMEOUT_MS)

const listStored = ({ companyId }: Person) => {
  const folder = join(env.DATA_DIR, 'files', String(companyId))
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
const listRecorded = async ({ companyId }: Person): Promise<string[]> =>
  (await query('select distinct sha256 from files where company_id = $1 order by 1', [companyId])).rows.map(
    ({ sha256 }) => sha256,
  )

const TENANT_TABLES = `
  select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`

/** All that a company has once nothing is at work: the rows of each table, and those of the archive as they read. */
async function readCompany({ companyId }: Person) {
  await jobsEnd()
  const { rows: tables } = await query(TENANT_TABLES)
  const counted = (tables as { name: string }[]).filter(({ name }) => !NOT_COMPARED.includes(name))
  const each = counted.map(
    ({ name }) =>
      `(select count(*)::int from ${quoteIdentifier(name)} where company_id = $1) as ${quoteIdentifier(name)}`,
  )
  const {
    rows: [counts],
  } = await query(`select ${each.join()}`, [companyId])
  const hashes: Record<string, string> = {}
  for (const table of Object.keys(COMPANY_ARCHIVE)) hashes[table] = (await hashTable(query, table, companyId)).hash
  return { counts, hashes }
}

/** How many rows of the archive are there, but for the uploaded file itself. */
async function countImported({ companyId }: Person) {
  const each = Object.keys(COMPANY_ARCHIVE).map((table) => {
    const imported = table === 'files' ? 'and sha256 <> $2' : ''
    return `(select count(*)::int from ${quoteIdentifier(table)} where company_id = $1 ${imported})`
  })
  const { rows } = await query(`select ${each.join(' + ')} as count`, [companyId, archiveHash])
  return rows[0].count
}

/** What somebody else holds, so that the import waits for it. */
const MOMENTS: Record<string, (person: Person, id: string) => [string, unknown[]]> = {
  'while contents are stored': ({ companyId }) => lockContent(companyId, lastContentHash),
  'while rows are written': () => ['lock table curve_days in share mode', []],
  'before the commit': (_, id) => ['select from company_copies where id = $1 for update', [id]],
  'after the commit': ({ companyId }) => lockContent(companyId, archiveHash),
}
const lockContent = (companyId: number, sha256: string): [string, unknown[]] => [
  'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  [`file ${getFileKey({ companyId, sha256 })}`],
]

/** Takes what the import needs at this moment; `reached` once the server waits for it. */
async function hold(moment: string, person: Person, id: string) {
  const holder = new pg.Client({ connectionString: database.adminUrl })
  await holder.connect()
  await holder.query('begin')
  const [lock, values] = MOMENTS[moment]?.(person, id) ?? ['', []]
  await holder.query(lock, values)
  const { rows } = await holder.query('select pg_backend_pid() as pid')
  const waiting = `select from pg_stat_activity where application_name = 'voisol' and $1 = any(pg_blocking_pids(pid))`
  const isAwaited = async () => (await query(waiting, [rows[0].pid])).rows.length > 0
  return { reached: () => waitUntil(isAwaited, TIMEOUT_MS), release: () => holder.end() }
}

const startServer = async () => {
  victim = await launcher.start()
}

/** Kills the server at this moment of an import that `begin` begins or goes on with. */
async function killAt(moment: string, person: Person, id: string, begin: () => Promise<unknown>) {
  const held = await hold(moment, person, id)
  try {
    await begin()
    await held.reached()
    await launcher.kill(victim)
  } finally {
    await held.release()
  }
  await letTimePass()
}

async function requireWhole(heir: Person, id: string) {
  const { state, rows, files, failure } = await settled(heir, id)
  expect({ state, rows, files, failure }).toEqual({
    state: 'done',
    rows: expectedCopy.rows,
    files: FILES,
    failure: null,
  })
  expect(await readCompany(heir)).toEqual(expected)
  expect(listStored(heir)).toEqual(await listRecorded(heir))
}

async function requireRefused(answer: Response) {
  expect([answer.status, (await readJsonBody(answer)).message]).toEqual([409, expect.stringMatching(/^[A-ZÉ].* .*\.$/)])
}

/** All of it is there once, and confirming it again changes nothing. */
async function requireTakenOnce(heir: Person, id: string) {
  await requireWhole(heir, id)
  await requireRefused(await confirm(heir, id))
  await requireWhole(heir, id)
}

describe('F2: kill -9 during the import of a company’s archive', { timeout: TIMEOUT_MS * 3 }, () => {
  test('after the commit of one, and after the confirmation and before the commit of another: each is there whole and once', async () => {
    const [committed, begun] = [takeHeir(), takeHeir()]
    const [committedId, begunId] = [await upload(committed), await upload(begun)]
    const erasing = await hold('after the commit', committed, committedId)
    expect((await confirm(committed, committedId)).status).toBe(200)
    await erasing.reached()
    expect((await confirm(begun, begunId)).status).toBe(200)
    await launcher.kill(victim)
    await erasing.release()
    expect(await countImported(committed)).toBeGreaterThan(0)
    expect(await countImported(begun)).toBe(0)
    await letTimePass()
    await killAt('before the commit', begun, begunId, startServer)
    expect(await countImported(begun)).toBe(0)
    await startServer()
    await requireTakenOnce(begun, begunId)
    await requireTakenOnce(committed, committedId)
  })

  test('at each of its attempts: nothing of it is left, its refusal says why, and the same archive is taken when uploaded again', async () => {
    const heir = takeHeir()
    const id = await upload(heir)
    await killAt('while contents are stored', heir, id, () => confirm(heir, id))
    expect([await countImported(heir), listStored(heir).length]).toEqual([0, FILES])
    await killAt('while rows are written', heir, id, startServer)
    expect(await countImported(heir)).toBe(0)
    await killAt('before the commit', heir, id, startServer)
    expect(await countImported(heir)).toBe(0)
    await startServer()
    // What runs each hour.
    await enqueue(deps.db, 'copies.due', {})
    const { state, failure } = await settled(heir, id)
    expect({ state, failure }).toEqual({
      state: 'failed',
      failure: expect.stringMatching(/^Le serveur s’est arrêté.*\.$/),
    })
    await jobsEnd()
    expect(await countImported(heir)).toBe(0)
    expect(await listRecorded(heir)).toEqual([])
    expect(listStored(heir)).toEqual([])
    await requireRefused(await confirm(heir, id))
    const again = await upload(heir)
    expect((await confirm(heir, again)).status).toBe(200)
    await requireTakenOnce(heir, again)
  })
})
