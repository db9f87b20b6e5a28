import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDatabaseUrl, queryAs, replaceRole, runAs } from '../../test/database.ts'
import { migrateQueue } from '../jobs/migrate-queue.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openDatabase, transaction } from './client.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { APPLICATION_ROLE, DATABASE_NAME, OWNER_ROLE, SUPERUSER_ROLE } from './embedded-cluster.ts'
import { applyMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'voisol-roles-'))
let embedded: EmbeddedPostgres | undefined
const start = async () => {
  embedded = await startEmbeddedPostgres(join(folder, 'postgres'))
  return embedded
}
const superuser = () => replaceRole(embedded?.url ?? '', SUPERUSER_ROLE)
beforeAll(() => chmodSync(folder, 0o755)) // as root, PostgreSQL runs under another account that must reach its folder
afterAll(async () => {
  await embedded?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const prepare = async ({ url, ownerUrl }: EmbeddedPostgres) => {
  const db = openDatabase(url, 2)
  return prepareDatabase(db, { url, ownerUrl }).finally(() => db.$client.end())
}
const strangers = `
  select relname as name from pg_class where relnamespace::regnamespace::text in ('public', 'jobs', 'drizzle')
     and relkind in ('r', 'p', 'S', 'v', 'i', 'I') and pg_get_userbyid(relowner) <> '${OWNER_ROLE}'
  union all select proname from pg_proc where pronamespace::regnamespace::text in ('public', 'jobs')
     and pg_get_userbyid(proowner) <> '${OWNER_ROLE}'
  union all select typname from pg_type where typnamespace::regnamespace::text in ('public', 'jobs')
     and pg_get_userbyid(typowner) <> '${OWNER_ROLE}'
  union all select nspname from pg_namespace where nspname in ('jobs', 'drizzle') and pg_get_userbyid(nspowner) <> '${OWNER_ROLE}'
  union all select datname from pg_database where datname = '${DATABASE_NAME}' and pg_get_userbyid(datdba) <> '${OWNER_ROLE}'`

test('a new folder gets an owner and an application role, neither of them a superuser', async () => {
  const database = await start()
  expect(await prepare(database)).toEqual({ oneRole: false })
  const { rows } = await queryAs(database.url, 'select rolname, rolsuper from pg_roles where rolcanlogin order by 1')
  expect(rows).toEqual([
    { rolname: SUPERUSER_ROLE, rolsuper: true },
    { rolname: APPLICATION_ROLE, rolsuper: false },
    { rolname: OWNER_ROLE, rolsuper: false },
  ])
  expect((await queryAs(database.url, strangers)).rows).toEqual([])
  await expect(queryAs(database.url, 'create table mine (id int)')).rejects.toThrow('permission denied')
  await expect(queryAs(database.url, 'delete from audit_entries')).rejects.toThrow('permission denied')
  await expect(queryAs(database.ownerUrl, 'create role other')).rejects.toThrow('permission denied')
})

test('a folder where the superuser owned everything is handed over, with its rows', async () => {
  await runAs(buildDatabaseUrl(superuser(), 'postgres'), [
    `drop database ${DATABASE_NAME} with (force)`,
    `drop role ${OWNER_ROLE}`,
    `drop role ${APPLICATION_ROLE}`,
    `create database ${DATABASE_NAME}`,
  ])
  const before = openDatabase(superuser(), 2)
  await migrateQueue(superuser())
  await transaction(before, (tx) => applyMigrations(tx, join(import.meta.dirname, 'migrations')))
  await before.$client.end()
  await runAs(superuser(), [
    `insert into companies (name) values ('Les Tilleuls')`,
    `create view seen as select id from companies`,
    'create sequence alone',
  ])
  await embedded?.stop()
  for (const _ of [1, 2]) {
    const database = await start()
    expect((await queryAs(database.ownerUrl, strangers)).rows).toEqual([])
    expect(await prepare(database)).toEqual({ oneRole: false })
    expect((await queryAs(database.url, 'select id, name from companies')).rows).toEqual([
      { id: 1, name: 'Les Tilleuls' },
    ])
    await embedded?.stop()
  }
})

test('once the roles exist, the superuser is not used any more', async () => {
  await start()
  await runAs(superuser(), [`alter role ${SUPERUSER_ROLE} nologin`])
  await embedded?.stop()
  const database = await start()
  expect(await prepare(database)).toEqual({ oneRole: false })
  await expect(queryAs(superuser(), 'select 1')).rejects.toThrow('not permitted to log in')
  await expect(queryAs(database.ownerUrl, `alter role ${SUPERUSER_ROLE} login`)).rejects.toThrow('permission denied')
})
