import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, queryAs } from '../../test/database.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openDatabase, transaction } from './client.ts'
import { applyMigrations } from './migrate.ts'

const MIGRATIONS = join(import.meta.dirname, 'migrations')
/** The last migration of the version before company-first keys. */
const LAST = 4
const folder = mkdtempSync(join(tmpdir(), 'voisol-earlier-'))

type Entry = { idx: number; tag: string }
function earlierMigrations(): string {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as { entries: Entry[] } // ours
  const entries = journal.entries.filter(({ idx }) => idx <= LAST)
  for (const { tag } of entries) cpSync(join(MIGRATIONS, `${tag}.sql`), join(folder, `${tag}.sql`))
  cpSync(join(MIGRATIONS, 'meta'), join(folder, 'meta'), { recursive: true })
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  return folder
}

const [PERSON, POINT, RUN, OPERATION] = Array.from({ length: 4 }, () => crypto.randomUUID())
const [PDF, CSV, ZIP, FOREIGN] = Array.from({ length: 4 }, () => crypto.randomUUID())
const ROWS = `
  insert into companies (id, name) overriding system value values (7, 'Les Tilleuls'), (11, 'Les Aulnes');
  insert into users (id, email, first_name, last_name) values ('${PERSON}', 'ada@exemple.fr', 'Ada', 'Roux');
  insert into memberships (company_id, user_id, is_admin) values (7, '${PERSON}', true), (11, '${PERSON}', false);
  insert into files (id, company_id, name, media_type, size, sha256) values
    ('${PDF}', 7, 'statuts.pdf', 'application/pdf', 4711, 'aa'), ('${CSV}', 7, 'juin.csv', 'text/csv', 313, 'bb'),
    ('${ZIP}', 11, 'r63.zip', 'application/zip', 90210, 'cc'), ('${FOREIGN}', 11, 'statuts.pdf', 'application/pdf', 4711, 'aa');
  insert into documents (company_id, owner_kind, owner_id, file_id, label, added_by) values
    (7, 'operation', '${OPERATION}', '${PDF}', 'Statuts', 'Ada'), (11, 'operation', '${OPERATION}', '${FOREIGN}', 'Statuts', 'Ada');
  insert into curve_imports (company_id, file_id, name, status, created_by) values (7, '${CSV}', 'juin.csv', 'stored', '${PERSON}');
  insert into distributor_files (company_id, file_id, name, sha256, status, size, source, received_at)
    values (11, '${ZIP}', 'r63.zip', 'cc', 'decoded', 90210, 'upload', '2026-06-03T05:00:00Z');
  insert into notifications (company_id, user_id, category, type, priority, title, message, event_key) values
    (7, '${PERSON}', 'account', 'info', 'normal', 'Bienvenue', 'Un', 'a'), (11, '${PERSON}', 'account', 'info', 'normal', 'Bienvenue', 'Deux', 'a');
  insert into audit_entries (company_id, seq, at, actor, action, label, target, outcome, detail, request_id, ip, hash)
    values (7, 1, now(), 'ada', 'POST /x', 'X', 'y', 'done', '{}', 'r', '::1', '\\x01'), (7, 2, now(), 'ada', 'POST /x', 'X', 'y', 'done', '{}', 'r', '::1', '\\x02');
  insert into audit_heads values (7, 2, '\\x02');
  insert into operations (company_id, id, name, status) values (7, '${OPERATION}', 'Tilleuls', 'active');
  insert into points (company_id, id, prm, direction, segment) values (7, '${POINT}', '14500000000017', 'consumption', 'C5');
  insert into curve_days values (7, '${POINT}', '2026-06-01', 1, 30, '\\x0102', null, 1, 2, 48, 3301, 17, 'api', null, now(), null);
  insert into allocation_runs (company_id, id, operation_id, starts_on, ends_on, kind, status, engine_version)
    values (7, '${RUN}', '${OPERATION}', '2026-06-01', '2026-06-02', 'definitive', 'done', '1');
  insert into allocation_days values (7, '${RUN}', '${POINT}', '2026-06-01', '\\x0102', 3301, 1207, 0);
  insert into allocation_coverage values (7, '${OPERATION}', '2026-06-01', '${RUN}')`

let database: Awaited<ReturnType<typeof createTestDatabase>>
const ask = async (text: string) => (await queryAs(database.ownerUrl, text)).rows

type Columns = { name: string; columns: string }
const columns = (): Promise<Columns[]> =>
  ask(`select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
         from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
        where table_schema = 'public' group by 1`)

/** Every table with the count and hash of its rows, limited to these columns: columns added later are ignored. */
async function contents(known: Columns[]): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const { name, columns: list } of known) {
    const [row] = await ask(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as it
         from (select ${list} from ${name}) t`,
    )
    all[name] = row?.it
  }
  return all
}

beforeAll(async () => {
  database = await createTestDatabase(inject('postgres'), 'template0')
  const owner = openDatabase(database.ownerUrl, 1)
  await transaction(owner, (tx) => applyMigrations(tx, earlierMigrations()))
  await owner.$client.end()
  await queryAs(database.ownerUrl, ROWS)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

test('a database of the previous version migrates without losing or changing a row', async () => {
  // The content of memberships changes format: it is checked below.
  const known = (await columns()).filter(({ name }) => name !== 'memberships')
  const before = await contents(known)
  const db = openDatabase(database.url, 2)
  expect(await prepareDatabase(db, database)).toEqual({ oneRole: false })
  await db.$client.end()
  expect(await contents(known)).toEqual(before)
  expect(Object.values(before).filter((it) => !it.startsWith('0 '))).toHaveLength(15)
  expect(await ask('select company_id, role, role_id, operation_ids from memberships order by 1')).toEqual([
    { company_id: 7, role: 'admin', role_id: null, operation_ids: null },
    { company_id: 11, role: 'client', role_id: null, operation_ids: null },
  ])
  expect(await ask('select name, status, created_by, asked, overwrite from curve_imports')).toEqual([
    {
      name: 'juin.csv',
      status: 'stored',
      created_by: PERSON,
      asked: { questions: [], known: [] },
      overwrite: false,
    },
  ])
  expect(
    await ask('select id, kind, status, engine_version, estimate_by, completeness, sign_off from allocation_runs'),
  ).toEqual([
    {
      id: RUN,
      kind: 'definitive',
      status: 'done',
      engine_version: '1',
      estimate_by: 'own',
      completeness: null,
      sign_off: null,
    },
  ])
  expect(await ask('select id, name, keeps_site from companies order by 1')).toEqual([
    { id: 7, name: 'Les Tilleuls', keeps_site: false },
    { id: 11, name: 'Les Aulnes', keeps_site: false },
  ])
  expect(await ask('select id, email, email_verified_at is not null as verified from users')).toEqual([
    { id: PERSON, email: 'ada@exemple.fr', verified: true },
  ])
})

test('and its keys are those of the company', async () => {
  const keys = await ask(`select conrelid::regclass || ': ' || pg_get_constraintdef(oid) as it from pg_constraint
    where (contype = 'p' and conrelid in ('files'::regclass, 'notifications'::regclass)) or confrelid = 'files'::regclass`)
  const file = 'FOREIGN KEY (company_id, file_id) REFERENCES files(company_id, id)'
  expect(keys.map(({ it }) => it).sort()).toEqual([
    `applications: ${file}`,
    `bank_statements: ${file}`,
    `billing_mandates: ${file}`,
    `company_copies: ${file}`,
    `curve_imports: ${file}`,
    `debit_runs: ${file}`,
    `declarations: ${file}`,
    `distributor_files: ${file}`,
    `documents: ${file}`,
    'files: PRIMARY KEY (company_id, id)',
    `invoice_files: ${file}`,
    `mandates: ${file}`,
    'notifications: PRIMARY KEY (company_id, id)',
    `payouts: ${file}`,
    `regulatory_exports: ${file}`,
    `regulatory_exports: ${file.replace('file_id', 'paper_id')}`,
    `reports: ${file}`,
    `ticket_files: ${file}`,
  ])
  const stolen = `insert into documents (company_id, owner_kind, owner_id, file_id, label, added_by)
    values (7, 'operation', '${OPERATION}', '${FOREIGN}', 'Statuts', 'Ada')`
  await expect(queryAs(database.url, stolen)).rejects.toThrow('violates foreign key')
  expect(await ask(`select tgname from pg_trigger where not tgisinternal`)).toEqual([])
  expect(await ask(`select 1 as there from pg_indexes where indexname = 'allocation_coverage_run'`)).toHaveLength(1)
})
