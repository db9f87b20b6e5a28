import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, queryAs } from '../../test/database.ts'
import { openDatabase, transaction } from './client.ts'
import { applyMigrations } from './migrate.ts'
import { estimateMigrations, findScannedTables, formatDuration } from './migration-progress.ts'

describe('the tables that a statement scans', () => {
  test.each([
    ['UPDATE "invoices" SET total = 0', ['invoices']],
    ['create unique index points_prm on points (company_id, prm)', ['points']],
    ['ALTER TABLE "curve_days" ADD CONSTRAINT day CHECK (day > 0)', ['curve_days']],
    ['alter table files alter column size set not null', ['files']],
    ['insert into totals select sum(v) from curve_days', ['curve_days']],
    ['-- update users\nalter table users add column nick text', []],
    ['create table update_log (id int)', []],
    ['create function f() returns void as $$ begin\ndelete from users; end $$ language plpgsql', []],
    ['delete from sessions;\nupdate users set locale = 1;', ['sessions', 'users']],
  ])('%s: %j', (statement, tables) => {
    expect(findScannedTables(statement)).toEqual(tables)
  })
})

test('an estimate counts the rows of every statement, and none for a table not created yet', () => {
  const counts = new Map([
    ['curve_days', 2_000_000],
    ['users', 500],
  ])
  const statements = ['update curve_days set a = 1', 'update users set a = 1', 'update fresh set a = 1']
  const [one, two] = estimateMigrations(
    [
      { name: '0100_all', statements },
      { name: '0101_none', statements: ['create table fresh (id int)'] },
    ],
    counts,
  )
  expect(one).toMatchObject({ tables: ['curve_days', 'users'], rows: 2_000_500, seconds: 20.005 })
  expect(two).toMatchObject({ tables: [], rows: 0, seconds: 0 })
  expect([0.2, 20, 89, 600].map(formatDuration)).toEqual([
    'moins d’une seconde',
    '20\u00a0s',
    '89\u00a0s',
    '10\u00a0min',
  ])
})

const folder = mkdtempSync(join(tmpdir(), 'voisol-steps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder of migrations in the format of drizzle, with these steps. */
function writeSteps(steps: Record<string, string>) {
  mkdirSync(join(folder, 'meta'), { recursive: true })
  const entries = Object.keys(steps).map((tag, idx) => ({
    idx,
    version: '7',
    when: 1000 + idx,
    tag,
    breakpoints: true,
  }))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  for (const [tag, text] of Object.entries(steps)) writeFileSync(join(folder, `${tag}.sql`), text)
}

test('a migration reports its step, its tables with their rows, and its end', async () => {
  const database = await createTestDatabase(inject('postgres'), 'template0')
  const owner = openDatabase(database.ownerUrl, 1)
  const migrate = async () => {
    const lines: string[] = []
    await transaction(owner, (tx) => applyMigrations(tx, folder, { say: (line) => lines.push(line) }))
    return lines
  }
  const first = { '0000_meters': 'create table meters as select n from generate_series(1, 1200) n;' }
  writeSteps(first)
  expect(await migrate()).toEqual([
    '  Création de la base de données (1\u00a0étape)',
    expect.stringMatching(/^ {2}Base de données à jour en .*\.$/),
  ])
  expect(await migrate()).toEqual([])
  await queryAs(database.ownerUrl, 'analyze meters')
  writeSteps({
    ...first,
    '0001_steps': 'alter table meters add column step int;\n--> statement-breakpoint\nupdate meters set step = 30;',
    '0002_note': 'create table notes (id int); -- nothing to wait for',
  })
  expect(await migrate()).toEqual([
    expect.stringMatching(
      /^ {2}Mise à jour de la base de données\s: 2\sétapes, environ moins d’une seconde .*1\s200\slignes/,
    ),
    expect.stringMatching(/^ {2}Étape 1 sur 2\s: 0001_steps — meters\s: 1\s200\slignes, environ /),
    '  Étape 2 sur 2\u00a0: 0002_note',
    expect.stringMatching(/^ {2}Base de données à jour en /),
  ])
  expect((await queryAs(database.ownerUrl, 'select count(*)::int as n from meters where step = 30')).rows).toEqual([
    { n: 1200 },
  ])
  await owner.$client.end()
  await database.drop()
})
