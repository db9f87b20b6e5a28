import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildDatabaseUrl, createTestDatabase, queryAs, replaceRole, runAs } from '../test/database.ts'
import { type Db, openDatabase, scopeToCompany, transaction } from './db/client.ts'
import { restoreOwnerRights } from './db/grants.ts'
import { whiteLabels } from './db/schema/index.ts'
import { checkMigrations } from './http/health.ts'
import { type DatabaseUrls, prepareDatabase } from './prepare-database.ts'
import { StartupError } from './startup.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An empty database, or a copy of the migrated one. */
const make = async (template?: string) => {
  const database = await createTestDatabase(inject('postgres'), template)
  ends.push(database.drop)
  return database
}
const prepare = async (urls: DatabaseUrls) => {
  const db: Db & { $client: { end(): Promise<void> } } = openDatabase(urls.url, 2)
  try {
    return await prepareDatabase(db, urls)
  } finally {
    await db.$client.end()
  }
}
const CHANGE = "update audit_entries set actor = 'x'"
const count = async (url: string) =>
  (await queryAs(url, 'select count(*)::int as n from drizzle.__drizzle_migrations')).rows[0]?.n

describe('two roles', () => {
  let prepared: Awaited<ReturnType<typeof createTestDatabase>> | undefined
  beforeAll(async () => {
    prepared = await createTestDatabase(inject('postgres'), 'template0')
    await prepare(prepared)
  })
  afterAll(() => prepared?.drop())

  test('create a database from nothing, and again without a change', async () => {
    const { url, ownerUrl } = await make('template0')
    for (const _ of [1, 2]) expect(await prepare({ url, ownerUrl })).toEqual({ oneRole: false })
    expect(await count(url)).toBeGreaterThan(5)
    await expect(queryAs(url, CHANGE)).rejects.toThrow('permission denied')
    // The owner could do it: it is not the serving role.
    await queryAs(ownerUrl, CHANGE)
  })

  test.each([
    ['audit_entries', 'select insert', []],
    ['content_versions', 'select insert', []],
    ['curve_days', 'select insert', ['superseded_at']],
    ['distributor_quantities', 'select insert', ['superseded_at']],
    ['allocation_days', 'select insert delete', []],
    ['allocation_totals', 'select insert delete', []],
    ['allocation_pairs', 'select insert delete', []],
    ['audit_heads', 'select insert update delete', ['company_id', 'hash', 'seq']],
    ['jobs.schedule', 'select insert update delete', undefined],
    ['drizzle.__drizzle_migrations', 'select', []],
  ])('allow the application to do to %s: %s', async (table, may, columns) => {
    const url = prepared?.url ?? ''
    const kinds = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
    const { rows } = await queryAs(
      url,
      `select kind from unnest($2::text[]) with ordinality k(kind, n) where has_table_privilege($1, kind) order by n`,
      [table, kinds],
    )
    expect(rows.map(({ kind }) => kind).join(' ')).toBe(may)
    const set = await queryAs(
      url,
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0
          and has_column_privilege(attrelid, attnum, 'update') order by 1`,
      [table],
    )
    if (columns) expect(set.rows.map(({ name }) => name)).toEqual(columns)
  })

  test('restrict a transaction to the company it declares', async () => {
    await runAs(prepared?.ownerUrl ?? '', [`insert into companies (name) values ('Les Tilleuls'), ('Les Aulnes')`])
    const db = openDatabase(prepared?.url ?? '', 1)
    ends.push(() => db.$client.end())
    const colour = (companyId: number) => (tx: Db) => tx.insert(whiteLabels).values({ companyId, config: {} })
    await transaction(scopeToCompany(db, 2), colour(2))
    const refused = await transaction(scopeToCompany(db, 2), colour(1)).catch((error: Error) => String(error.cause))
    expect(refused).toContain('row-level security policy for table "white_labels"')
  })

  test('keep an adopted tariff unchanged, and allow a draft to change and be deleted', async () => {
    const [url, ownerUrl] = [prepared?.url ?? '', prepared?.ownerUrl ?? '']
    const place = '(company_id, id, operation_id, number, status, starts_on)'
    const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
    await runAs(ownerUrl, [
      `insert into companies (id, name) values (7, 'Les Ormes')`,
      `insert into operations (company_id, id, name, status) values (7, '${id(1)}', 'Les Ormes', 'active')`,
      `insert into tariffs ${place} values (7, '${id(2)}', '${id(1)}', 1, 'adopted', '2026-03-15')`,
      `insert into tariffs ${place} values (7, '${id(3)}', '${id(1)}', 2, 'draft', '2026-05-07')`,
    ])
    const changed = await queryAs(url, "update tariffs set label = 'x' where company_id = 7 returning number")
    const gone = await queryAs(url, 'delete from tariffs where company_id = 7 returning number')
    expect([changed.rows, gone.rows]).toEqual([[{ number: 2 }], [{ number: 2 }]])
  })

  test('may be prepared twice at once', async () => {
    const { url, ownerUrl } = await make('template0')
    const both = await Promise.all([prepare({ url, ownerUrl }), prepare({ url, ownerUrl })])
    expect(both).toEqual([{ oneRole: false }, { oneRole: false }])
    // Both processes may be the one that creates the index of job positions.
    for (let turn = 0; turn < 3; turn++) {
      await runAs(ownerUrl, ['drop index jobs.voisol_turns'])
      await Promise.all([1, 2, 3].map(() => prepare({ url, ownerUrl })))
    }
  })

  test('revoke a right that was granted by hand', async () => {
    const { url, ownerUrl } = await make()
    const { username } = new URL(url)
    await runAs(ownerUrl, [`grant update, delete, truncate on audit_entries, curve_days, throttles to ${username}`])
    await queryAs(url, CHANGE)
    await queryAs(url, 'truncate throttles')
    await prepare({ url, ownerUrl })
    await expect(queryAs(url, CHANGE)).rejects.toThrow('permission denied')
    await expect(queryAs(url, 'update curve_days set watts = watts')).rejects.toThrow('permission denied')
    await expect(queryAs(url, 'truncate throttles')).rejects.toThrow('permission denied')
    await queryAs(url, 'update curve_days set superseded_at = now() where false')
  })

  test('count as one role when the application’s is superior to the owner', async () => {
    const { ownerUrl } = await make()
    const { admin } = inject('postgres')
    const url = buildDatabaseUrl(admin, new URL(ownerUrl).pathname.slice(1))
    expect(await prepare({ url, ownerUrl })).toEqual({ oneRole: true })
  })
})

describe('one role', () => {
  test('owns and serves, says so, and revokes from itself what the application may not do', async () => {
    const { ownerUrl: url } = await make('template0')
    for (const _ of [1, 2]) {
      expect(await prepare({ url, ownerUrl: undefined })).toEqual({ oneRole: true })
      await expect(queryAs(url, CHANGE)).rejects.toThrow('permission denied')
      await expect(queryAs(url, 'truncate audit_entries')).rejects.toThrow('permission denied')
      await queryAs(url, 'update audit_heads set seq = seq')
      await queryAs(url, 'create table if not exists mine (id int)')
    }
  })

  test('has all its rights again while it migrates', async () => {
    const { ownerUrl: url } = await make('template0')
    await prepare({ url, ownerUrl: undefined })
    const db = openDatabase(url, 1)
    ends.push(() => db.$client.end())
    await transaction(db, async (tx) => {
      await restoreOwnerRights(tx)
      await tx.execute(CHANGE)
    })
  })

  test('that owns nothing serves a database kept up to date by another, and reports an old one', async () => {
    const { url, ownerUrl } = await make()
    expect(await prepare({ url, ownerUrl: undefined })).toEqual({ oneRole: false })
    await queryAs(ownerUrl, 'delete from drizzle.__drizzle_migrations where id = 1')
    const refused = prepare({ url, ownerUrl: undefined })
    await expect(refused).rejects.toThrow(/n’est pas à jour.*DATABASE_OWNER_URL/)
    await expect(refused).rejects.toBeInstanceOf(StartupError)
  })

  test.each([
    ['as the owner', true],
    ['as a role that owns nothing', false],
  ])('refuses a database of a later version, and changes nothing in it (%s)', async (_, owns) => {
    const { url, ownerUrl } = await make()
    await queryAs(
      ownerUrl,
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    )
    const before = await count(ownerUrl)
    const refused = prepare({ url, ownerUrl: owns ? ownerUrl : undefined })
    await expect(refused).rejects.toThrow(/version plus récente de Voisol \(1 étape.* ne connaît pas/)
    await expect(refused).rejects.toBeInstanceOf(StartupError)
    expect(await count(ownerUrl)).toBe(before)
    // A process already running is not affected: everything it uses still exists.
    const db = openDatabase(url, 1)
    ends.push(() => db.$client.end())
    expect(await checkMigrations(db)).toBe(true)
  })

  test('without any right on an empty database gets the error of PostgreSQL', async () => {
    const { url } = await make('template0')
    await expect(prepare({ url, ownerUrl: undefined })).rejects.toThrow(/permission denied/)
  })
})

test('the role in a database URL can be replaced', () => {
  expect(replaceRole('postgres://a:b@h/d?x=y', 'c', 'd')).toBe('postgres://c:d@h/d?x=y')
  expect(replaceRole('postgresql:///d', 'c')).toBe('postgresql://c@/d')
})
