import { createHash } from 'node:crypto'
import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, type TestServer } from '../../../../test/client.ts'
import { createTestDatabase, queryAs } from '../../../../test/database.ts'
import { ensureSiteOwner, makeCompany, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { makeBillableMonth } from '../../../../test/factories-billing.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { buildApp } from '../../../app.ts'
import { storeFile } from '../../../core/stored-files.ts'
import { openDeps } from '../../../deps.ts'
import { createFolderStore } from '../../../integrations/files/files.ts'
import { startQueue, stopQueue } from '../../../jobs/queue.ts'
import { jobs } from '../../../jobs/registry.ts'
import { verifyAudit } from '../../identity/audit/index.ts'
import type { SignedManifest } from './copy-format.ts'
import { getCopyContentKey } from './copy-store.ts'
import { listCopies, makeCopy, openCopyStore, restoreCopy, verifyCopy } from './index.ts'
import { type CopySource, createCopySource, requireRestorableCopy } from './restore-copy.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let admin: Person
let sheet: SignedManifest
/** Answered with the time or the place of whoever is asked. */
const AT_THE_MOMENT = new Set([
  '/api/status',
  '/api/installation/health',
  '/api/gateway',
  '/api/gateway/installation',
  '/api/pdf/generate-api-docs',
  '/api/profile/export',
  '/api/retention/register',
  '/api/retention/consent-pack',
])
const NOTE = Buffer.from('Procès-verbal de l’assemblée du 12 mars')

beforeAll(async () => {
  const { db, deps } = server
  const companyId = await ensureSiteOwner(db)
  admin = await makeUser(db, { companyId })
  await makeBillableMonth(server, { companyId })
  await storeFile(db, deps.files, companyId, { name: 'pv.txt', mediaType: 'text/plain', content: NOTE })
  // Subscribers that have still to hear of something would hear of it here, and not there.
  await waitForJobs(server)
  sheet = await makeCopy(deps)
})

const source = () => createCopySource(openCopyStore(server.deps.config), sheet.manifest.name)
const key = () => server.deps.config.backupKey ?? ''
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function emptyDatabase() {
  const made = await createTestDatabase(inject('postgres'), 'template0')
  closing.push(made.drop)
  return made
}
const buildRestoreInput = ({ url, ownerUrl }: { url: string; ownerUrl: string }, from: CopySource = source()) => {
  const { config } = server.deps
  return {
    source: from,
    key: key(),
    secretKey: config.secretKey,
    url,
    ownerUrl,
    files: createFolderStore(`${config.dataDir}/restored`),
  }
}

/** The application on a restored database, with its files. */
async function openRestored(url: string): Promise<TestServer> {
  const config = { ...server.deps.config }
  const { deps, close } = openDeps(config, url, pino({ level: 'silent' }))
  deps.files = createFolderStore(`${config.dataDir}/restored`)
  const queue = await startQueue(deps, url, jobs, false)
  const app = await buildApp(deps)
  closing.push(
    close,
    () => stopQueue(queue),
    () => app.close(),
  )
  return { ...server, app, deps, db: deps.db }
}

const changed =
  (change: (bytes: Buffer) => Buffer): CopySource =>
  async () => {
    const content = await openCopyStore(server.deps.config).get(getCopyContentKey(sheet.manifest.name))
    const bytes = change(Buffer.from(content ?? []))
    return (async function* () {
      yield bytes
    })()
  }
const flipByte = (at: (size: number) => number) =>
  changed((bytes) => {
    const place = at(bytes.length)
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
    return bytes
  })

describe('a copy', () => {
  test('is listed once it is whole, with counts and hashes of every table', async () => {
    expect((await listCopies(openCopyStore(server.deps.config))).map(({ manifest }) => manifest.name)).toEqual([
      sheet.manifest.name,
    ])
    const days = sheet.manifest.tables.find(({ name }) => name === 'curve_days')
    const { rows } = await server.asOwner('select count(*)::int as n from curve_days')
    expect(days).toMatchObject({ rows: rows[0].n, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(days?.rows).toBeGreaterThan(30)
    expect(sheet.manifest.files).toMatchObject({ count: expect.any(Number), missing: [] })
  })

  test('is read again without a database, and shows nothing of what it holds', async () => {
    expect(await verifyCopy(source(), key())).toEqual(sheet.manifest)
    const raw = Buffer.from((await openCopyStore(server.deps.config).get(getCopyContentKey(sheet.manifest.name))) ?? [])
    for (const secret of [key(), admin.email, server.deps.config.secretKey.toString('base64')]) {
      expect(raw.includes(secret)).toBe(false)
      expect(JSON.stringify(sheet)).not.toContain(secret)
    }
  })

  test.each([
    ['its end cut off', changed((bytes) => bytes.subarray(0, bytes.length - 1000))],
    ['a whole last piece cut off', changed((bytes) => bytes.subarray(0, 200))],
    ['something after its end', changed((bytes) => Buffer.concat([bytes, Buffer.from('x')]))],
    ['one bit changed in the middle', flipByte((size) => size >> 1)],
    ['one bit changed near its end', flipByte((size) => size - 3)],
    ['one bit changed in its head', flipByte(() => 90)],
  ])('with %s is refused', async (_, broken) => {
    await expect(verifyCopy(broken, key())).rejects.toThrow(/abîmée|autre clé/)
  })

  test('that is something else, or of another key, is refused by name', async () => {
    const strange = changed(() => Buffer.from('PK\u0003\u0004 une archive qui n’est pas une copie'))
    await expect(verifyCopy(strange, key())).rejects.toThrow('n’est pas une copie de Voisol')
    const other = Buffer.alloc(32, 7).toString('base64')
    await expect(verifyCopy(source(), other)).rejects.toThrow(/autre clé, d’empreinte [0-9a-f]{12}/)
    await expect(verifyCopy(source(), 'une phrase longue mais fausse')).rejects.toThrow('autre clé')
  })

  test('made with a sentence opens with that sentence', async () => {
    const config = {
      ...server.deps.config,
      backupKey: 'le soleil se lève derrière la mairie',
      BACKUP_FOLDER: `${server.deps.config.dataDir}/other`,
    }
    const made = await makeCopy({ ...server.deps, config })
    const from = createCopySource(openCopyStore(config), made.manifest.name)
    expect((await verifyCopy(from, config.backupKey)).tables.length).toBe(sheet.manifest.tables.length)
    await expect(verifyCopy(from, 'le soleil se couche derrière la mairie')).rejects.toThrow('faite d’une phrase')
  })
})

/** Those of the tables one sees: a cluster keeps shares of its own of some of them. */
const LINKS = `select count(*)::int as n from pg_constraint f join pg_class c on c.oid = f.conrelid
  where f.contype = 'f' and f.connamespace = 'public'::regnamespace`
const MADE = `select count(*)::int as n from pg_class
  where relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs', 'drizzle'))`

describe('restored', () => {
  test('on another database it signs in, serves the same answers hash for hash, and its chains hold', async () => {
    const target = await emptyDatabase()
    await restoreCopy(buildRestoreInput(target))
    const restored = await openRestored(target.url)
    expect(await differences(restored)).toEqual([])
    const signed = await call(restored, auth.login, { body: { email: admin.email, password: PASSWORD } })
    expect(signed.status).toBe(200)
    expect((await verifyAudit(restored.db, restored.deps.secrets)).filter(({ broken }) => broken)).toEqual([])
    expect((await makeCompany(restored.db)).id).toBeGreaterThan(admin.companyId)
    // What the application may do, and what links its tables, is as it was.
    const { $client } = restored.deps.db
    await expect($client.query('delete from audit_entries')).rejects.toThrow('permission denied')
    expect((await $client.query(LINKS)).rows).toEqual((await server.deps.db.$client.query(LINKS)).rows)
  })

  test('only into an empty database: one that holds something is left as it was', async () => {
    const users = 'select count(*)::int as n from users'
    const [before] = (await server.asOwner(users)).rows
    await expect(restoreCopy(buildRestoreInput({ url: server.url, ownerUrl: server.url }))).rejects.toThrow(
      'La base n’est pas vide',
    )
    expect((await server.asOwner(users)).rows).toEqual([before])
  })

  test('one that cannot be trusted touches nothing', async () => {
    const target = await emptyDatabase()
    const cases: [object, string][] = [
      [{ source: flipByte((size) => size - 40) }, 'abîmée'],
      [{ key: Buffer.alloc(32, 7).toString('base64') }, 'autre clé'],
      [{ secretKey: Buffer.alloc(32, 9) }, 'SECRET_KEY d’empreinte'],
    ]
    for (const [more, sentence] of cases)
      await expect(restoreCopy({ ...buildRestoreInput(target), ...more })).rejects.toThrow(sentence)
    expect((await queryAs(target.ownerUrl, MADE)).rows).toEqual([{ n: 0 }])
  })

  test('one of a newer version is refused by its migrations', () => {
    const newer = { ...sheet.manifest, version: '9.1.0', migrations: [...sheet.manifest.migrations, 9_999_999_999_999] }
    expect(() => requireRestorableCopy(newer, undefined)).toThrow('version plus récente de Voisol (9.1.0)')
    expect(() => requireRestorableCopy(sheet.manifest, undefined)).not.toThrow()
  })
})

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** The minute of a call is written down by the very call. */
const removeLastSeen = (text: string) => text.replaceAll(/"lastSeenAt":"[^"]+"/g, '')

/** The lists that answer otherwise there than here, as the same person in the same session. */
async function differences(restored: TestServer): Promise<string[]> {
  const plain = endpoints.filter((e) => e.method === 'GET' && !e.path.includes(':') && !AT_THE_MOMENT.has(e.path))
  const different: string[] = []
  let compared = 0
  for (const e of plain) {
    const [here, there] = [await call(server, e, {}, admin), await call(restored, e, {}, admin)]
    // What refuses names the very call it refused.
    if (here.status === 200) compared++
    const same = here.status !== 200 || sha(removeLastSeen(here.text)) === sha(removeLastSeen(there.text))
    if (here.status !== there.status || !same) different.push(e.path)
  }
  expect(compared).toBeGreaterThan(30)
  return different
}
