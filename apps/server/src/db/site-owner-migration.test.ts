import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createTestDatabase, queryAs } from '../../test/database.ts'
import { openDatabase, transaction } from './client.ts'
import { applyMigrations } from './migrate.ts'

/** The statements of the migration about the site, on a database that looks as it did before it. */
const TEXT = readFileSync(join(import.meta.dirname, 'migrations/0011_doors.sql'), 'utf8')
const BEFORE = `
  drop index companies_keeper; alter table companies drop column keeps_site;
  alter table users drop column email_verified_at; drop table email_verifications;
  insert into contents (company_id, kind, slug, status, draft, updated_by) values (1, 'faq', 'cle', 'draft', '{}', 'x');
  insert into content_versions (company_id, content_id, number, event, draft, saved_by)
    select 1, id, 1, 'published', '{}', 'x' from contents;
  insert into event_heads values (1, 3)`

async function migrated(rows: string) {
  const database = await createTestDatabase(inject('postgres'), 'template0')
  const owner = openDatabase(database.ownerUrl, 1)
  try {
    await transaction(owner, (tx) => applyMigrations(tx, join(import.meta.dirname, 'migrations')))
    for (const text of [BEFORE, rows, TEXT.replaceAll('--> statement-breakpoint', '')])
      await queryAs(database.ownerUrl, text)
    await queryAs(database.ownerUrl, `insert into companies (name) values ('Inscrite ensuite')`)
    const { rows: companies } = await owner.$client.query('select id, keeps_site as keeps from companies order by id')
    const { rows: held } = await owner.$client.query(
      `select 'contents' as t, company_id as c from contents union all select 'versions', company_id from content_versions order by 1, 2`,
    )
    return { companies, held: held.map(({ t, c }) => `${t} ${c}`) }
  } finally {
    await owner.$client.end()
    await database.drop()
  }
}

test('the company that keeps the site today goes on keeping it', async () => {
  const { companies, held } = await migrated(`insert into companies (name) values ('Voisol'), ('Autre')`)
  expect(companies.map(({ keeps }) => keeps)).toEqual([true, false, false])
  expect(held).toEqual(['contents 1', 'versions 1'])
})

test('a site that nobody keeps yet is not found by whoever registers next', async () => {
  const { companies, held } = await migrated('select 1')
  expect(companies).toEqual([{ id: 2, keeps: false }])
  expect(held).toEqual(['contents 0', 'versions 0', 'versions 1'])
})
