import { expect } from 'vitest'
import type { TestServer } from './client.ts'

/** Tables that only record the calls themselves; all others belong to a company. */
const CALL_TABLES = [
  'audit_entries',
  'audit_heads',
  'status_samples',
  'throttles',
  'idempotency_keys',
  'webhook_deliveries',
  'event_cursors',
  'event_sums',
  'call_counts',
  'key_calls',
  'webhook_attempts',
  'health_alerts',
  'health_samples',
]

/** On several machines each records its own writes: shards are named after their table with a number. */
const buildWatcherSql = (row: string) => `
  create schema watch;
  create unlogged table watch.rows (name text not null, row jsonb);
  create function watch.keep() returns trigger language plpgsql security definer as
    $keep$ begin insert into watch.rows values (tg_table_name, ${row}); return null; end $keep$;
  grant usage on schema watch to public;
  grant select, delete on watch.rows to public`

const TRIGGERS_SQL = `
  do $$ declare one record; begin
    for one in select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
                  and c.relname not in (${CALL_TABLES.map((name) => `'${name}'`).join()})
    loop
      execute format('create trigger zz_watch after insert or update or delete on %I for each row execute function watch.keep()', one.name);
    end loop;
  end $$`

/** Without forwarding to the other machines, which all get the same statement; each allows triggers on its shards. */
const buildAllNodesSql = (statement: string) => `
  select success, result from run_command_on_all_nodes($each$ set citus.enable_ddl_propagation = off; ${statement} $each$)`

/**
 * Records the name of each table in which a row is inserted, changed or deleted: counting all rows around each call
 * took most of the time of these loops. Call it first, as the owner of the tables; `whole` records the rows too.
 * Scheduled jobs would look like effects of a call, so they are stopped.
 */
export async function watchRows({ asOwner, db, queue }: Pick<TestServer, 'asOwner' | 'db' | 'queue'>, whole?: 'whole') {
  for (const { name, key } of await queue.getSchedules()) await queue.unschedule(name, key)
  const watcherSql = buildWatcherSql(whole ? 'to_jsonb(coalesce(new, old))' : 'null')
  if (!db.$jobs.spread) return watchOrRetry(() => asOwner(`${watcherSql};${TRIGGERS_SQL}`))
  const { rows } = await asOwner(buildAllNodesSql(watcherSql))
  expect(rows.filter(({ success }) => !success)).toEqual([])
  return asOwner(`set citus.enable_unsafe_triggers = on;${TRIGGERS_SQL}`)
}

/** Triggers lock every table, in one transaction: a job that still runs may wait for one and hold another. */
const watchOrRetry = <T>(watch: () => Promise<T>, attempts = 10): Promise<T> =>
  watch().catch((error: { code?: string }) => {
    if (error.code !== '40P01' || attempts === 1) throw error
    return watchOrRetry(watch, attempts - 1)
  })

type WrittenRow = { name: string; row: { company_id?: number } | null }
const WRITTEN_ROWS_SQL = `
  select regexp_replace(w.name, '_\\d+$', '') as name, w.row
    from run_command_on_all_nodes($$ select coalesce(json_agg(r), '[]') from (select distinct name, row from watch.rows) r $$) m
   cross join json_to_recordset(m.result::json) w(name text, row jsonb)`

/** Each row written or deleted since the record was last cleared. */
export async function listWrittenRows({ db }: Pick<TestServer, 'db'>): Promise<WrittenRow[]> {
  const { rows } = await db.$client.query<WrittenRow>(
    db.$jobs.spread ? WRITTEN_ROWS_SQL : 'select distinct name, row from watch.rows',
  )
  return rows
}

/** The names of their tables. */
export const listWrittenTables = async (server: Pick<TestServer, 'db'>) =>
  [...new Set((await listWrittenRows(server)).map(({ name }) => name))].sort()

const FORGET_SQL = 'delete from watch.rows'
export const clearWrittenRows = ({ db }: Pick<TestServer, 'db'>) =>
  db.$client.query(db.$jobs.spread ? `select run_command_on_all_nodes('${FORGET_SQL}')` : FORGET_SQL)
