import { expect } from 'vitest'
import type { Server } from './client.ts'

/** What only records the calls themselves; everything else is a company's. */
const OF_CALLS = [
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
const KEEPER = (row: string) => `
  create schema watch;
  create unlogged table watch.rows (name text not null, row jsonb);
  create function watch.keep() returns trigger language plpgsql security definer as
    $keep$ begin insert into watch.rows values (tg_table_name, ${row}); return null; end $keep$;
  grant usage on schema watch to public;
  grant select, delete on watch.rows to public`

const TRIGGERS = `
  do $$ declare one record; begin
    for one in select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
                  and c.relname not in (${OF_CALLS.map((name) => `'${name}'`).join()})
    loop
      execute format('create trigger zz_watch after insert or update or delete on %I for each row execute function watch.keep()', one.name);
    end loop;
  end $$`

/** Without telling the other machines, which are all asked the same; and each lets its shares be watched. */
const onEach = (statement: string) => `
  select success, result from run_command_on_all_nodes($each$ set citus.enable_ddl_propagation = off; ${statement} $each$)`

/**
 * Keeps the name of each table in which a row is written or removed: counting them all around each call was most of the
 * work of these loops. Before the first call, by somebody who owns the tables; `whole` keeps the rows themselves. What the
 * clock sets going would be taken for what a call did: it sets nothing going any more.
 */
export async function watchRows({ asOwner, db, queue }: Pick<Server, 'asOwner' | 'db' | 'queue'>, whole?: 'whole') {
  for (const { name, key } of await queue.getSchedules()) await queue.unschedule(name, key)
  const keeper = KEEPER(whole ? 'to_jsonb(coalesce(new, old))' : 'null')
  if (!db.$jobs.spread) return asOwner(`${keeper};${TRIGGERS}`)
  const { rows } = await asOwner(onEach(keeper))
  expect(rows.filter(({ success }) => !success)).toEqual([])
  return asOwner(`set citus.enable_unsafe_triggers = on;${TRIGGERS}`)
}

export type Written = { name: string; row: { company_id?: number } | null }
const ALL = `
  select regexp_replace(w.name, '_\\d+$', '') as name, w.row
    from run_command_on_all_nodes($$ select coalesce(json_agg(r), '[]') from (select distinct name, row from watch.rows) r $$) m
   cross join json_to_recordset(m.result::json) w(name text, row jsonb)`

/** Each row that was written or removed since they were last forgotten. */
export async function writtenRows({ db }: Pick<Server, 'db'>): Promise<Written[]> {
  const { rows } = await db.$client.query<Written>(db.$jobs.spread ? ALL : 'select distinct name, row from watch.rows')
  return rows
}

/** The tables of these. */
export const written = async (server: Pick<Server, 'db'>) =>
  [...new Set((await writtenRows(server)).map(({ name }) => name))].sort()

const FORGET = 'delete from watch.rows'
export const forgetWritten = ({ db }: Pick<Server, 'db'>) =>
  db.$client.query(db.$jobs.spread ? `select run_command_on_all_nodes('${FORGET}')` : FORGET)
