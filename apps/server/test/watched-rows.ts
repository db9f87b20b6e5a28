import { expect } from 'vitest'
import type { TestServer } from './client.ts'

/** What only records the calls themselves; everything else is a company's. */
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

/** Where rows lie on several machines, each keeps what is written there: the shares of one table then bear its name and a number. */
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

/** Without telling the other machines, which are all asked the same; and each lets its shares be watched. */
const buildAllNodesSql = (statement: string) => `
  select success, result from run_command_on_all_nodes($each$ set citus.enable_ddl_propagation = off; ${statement} $each$)`

/**
 * Keeps the name of each table in which a row is written or removed: counting them all around each call was most of the
 * work of these loops. Before the first call, by somebody who owns the tables; `whole` keeps the rows themselves. What the
 * clock sets going would be taken for what a call did: it sets nothing going any more.
 */
export async function watchRows({ asOwner, db, queue }: Pick<TestServer, 'asOwner' | 'db' | 'queue'>, whole?: 'whole') {
  for (const { name, key } of await queue.getSchedules()) await queue.unschedule(name, key)
  const watcherSql = buildWatcherSql(whole ? 'to_jsonb(coalesce(new, old))' : 'null')
  if (!db.$jobs.spread) return asOwner(`${watcherSql};${TRIGGERS_SQL}`)
  const { rows } = await asOwner(buildAllNodesSql(watcherSql))
  expect(rows.filter(({ success }) => !success)).toEqual([])
  return asOwner(`set citus.enable_unsafe_triggers = on;${TRIGGERS_SQL}`)
}

export type WrittenRow = { name: string; row: { company_id?: number } | null }
const WRITTEN_ROWS_SQL = `
  select regexp_replace(w.name, '_\\d+$', '') as name, w.row
    from run_command_on_all_nodes($$ select coalesce(json_agg(r), '[]') from (select distinct name, row from watch.rows) r $$) m
   cross join json_to_recordset(m.result::json) w(name text, row jsonb)`

/** Each row that was written or removed since they were last forgotten. */
export async function listWrittenRows({ db }: Pick<TestServer, 'db'>): Promise<WrittenRow[]> {
  const { rows } = await db.$client.query<WrittenRow>(
    db.$jobs.spread ? WRITTEN_ROWS_SQL : 'select distinct name, row from watch.rows',
  )
  return rows
}

/** The tables of these. */
export const listWrittenTables = async (server: Pick<TestServer, 'db'>) =>
  [...new Set((await listWrittenRows(server)).map(({ name }) => name))].sort()

const FORGET_SQL = 'delete from watch.rows'
export const clearWrittenRows = ({ db }: Pick<TestServer, 'db'>) =>
  db.$client.query(db.$jobs.spread ? `select run_command_on_all_nodes('${FORGET_SQL}')` : FORGET_SQL)
