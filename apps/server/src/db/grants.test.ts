import { describe, expect, test } from 'vitest'
import { TEST_ROLES } from '../../test/database.ts'
import { useServer } from '../../test/server.ts'
import { APPEND_ONLY_RULES } from './grants.ts'

const server = useServer()
const ask = (text: string, values?: unknown[]) => server.deps.db.$client.query(text, values)
const tableExists = async (table: string) =>
  (await ask('select to_regclass($1) is not null as there', [table])).rows[0]?.there === true
const listColumns = async (table: string): Promise<string[]> =>
  (
    await ask(
      'select column_name as name from information_schema.columns where table_name = $1 and is_generated = $2',
      [table, 'NEVER'],
    )
  ).rows.map(({ name }) => name)

describe('the application role', () => {
  test('is not a superuser, nor is the owner, and neither can become the other', async () => {
    const roles = `select rolname as role, rolsuper as super, rolcreaterole as roles, rolcreatedb as databases,
      rolbypassrls as bypass, pg_has_role(rolname, $1, 'member') as owner from pg_roles where rolname in ($1, $2) order by 1`
    const none = { super: false, roles: false, databases: false, bypass: false }
    expect((await ask(roles, [TEST_ROLES.owner, TEST_ROLES.application])).rows).toEqual([
      { role: TEST_ROLES.application, ...none, owner: false },
      { role: TEST_ROLES.owner, ...none, owner: true },
    ])
    expect((await ask('select current_user as me')).rows).toEqual([{ me: TEST_ROLES.application }])
  })

  test('reads and writes every table, and may truncate none', async () => {
    const { rows } = await ask(`
      select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'jobs')
       and not (has_table_privilege(schemaname || '.' || tablename, 'select')
                and has_table_privilege(schemaname || '.' || tablename, 'insert'))`)
    expect(rows).toEqual([])
    const emptied = await ask(`select tablename from pg_tables where schemaname in ('public', 'jobs', 'drizzle')
      and has_table_privilege(schemaname || '.' || tablename, 'truncate')`)
    expect(emptied.rows).toEqual([])
  })

  test.each([
    'create table public.mine (id int)',
    'create table jobs.mine (id int)',
    'create schema mine',
    'alter table audit_entries disable trigger all',
    'alter table audit_heads add column more int',
    'drop table audit_entries',
    'grant update on audit_entries to current_user',
    'insert into drizzle.__drizzle_migrations (hash, created_at) values ($$x$$, 1)',
    `set role ${TEST_ROLES.owner}`,
  ])('is refused « %s »', async (statement) => {
    const before = await ask('select has_table_privilege($1, $2) as may', ['audit_entries', 'update'])
    await ask(statement).then(
      // PostgreSQL answers a grant of a privilege one does not hold with a warning.
      () => expect(statement).toContain('grant'),
      (error: Error) => expect(error.message).toMatch(/permission denied|must be owner/),
    )
    expect((await ask('select has_table_privilege($1, $2) as may', ['audit_entries', 'update'])).rows).toEqual(
      before.rows,
    )
  })
})

describe.each(APPEND_ONLY_RULES)('$table', ({ table, refused, settable = [] }) => {
  const run = async (statement: string) => {
    if (await tableExists(table)) await expect(ask(statement)).rejects.toThrow(`permission denied for table ${table}`)
  }

  test('is append-only', async () => {
    if (!(await tableExists(table))) return
    for (const column of (await listColumns(table)).filter((name) => !settable.includes(name)))
      await run(`update ${table} set "${column}" = "${column}"`)
    for (const column of settable) await ask(`update ${table} set ${column} = ${column} where false`)
    expect((await ask('select has_table_privilege($1, $2) as may', [table, 'insert'])).rows).toEqual([{ may: true }])
  })

  test('cannot be truncated', async () => {
    await run(`truncate ${table}`)
    if (refused.includes('delete')) await run(`delete from ${table}`)
  })
})

test('the append-only list contains the audit, the versions and the events', () => {
  expect(APPEND_ONLY_RULES.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['audit_entries', 'events', 'content_versions', 'curve_days', 'distributor_quantities']),
  )
})

test('a table created later is granted to the application automatically', async () => {
  await server.asOwner('create table later (company_id int, id int generated always as identity)')
  await ask('insert into later (company_id) values (7)')
  expect((await ask('select company_id from later')).rows).toEqual([{ company_id: 7 }])
})
