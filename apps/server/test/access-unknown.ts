import type { Endpoint } from '@voisol/contract/endpoint'
import { expect } from 'vitest'
import { restOf } from './access-bodies.ts'
import { type Owner, paramsFor, SECRET } from './access-makers.ts'
import { call, type Server } from './client.ts'
import type { Running } from './server.ts'

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

/**
 * Keeps the name of each table in which a row is written or removed: counting them all around each call was most of the
 * work of these loops. Before the first call, by somebody who owns the tables; `whole` keeps the rows themselves.
 */
export async function watchRows({ asOwner }: Pick<Running, 'asOwner'>, whole?: 'whole') {
  const row = whole ? 'to_jsonb(coalesce(new, old))' : 'null'
  await asOwner(`
    create schema watch
    create unlogged table rows (name text not null, row jsonb);
    create function watch.keep() returns trigger language plpgsql security definer as
      $$ begin insert into watch.rows values (tg_table_name, ${row}); return null; end $$;
    do $$ declare one record; begin
      for one in select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
                    and c.relname not in (${OF_CALLS.map((name) => `'${name}'`).join()})
      loop
        execute format('create trigger zz_watch after insert or update or delete on %I for each row execute function watch.keep()', one.name);
      end loop;
    end $$;
    grant usage on schema watch to public;
    grant select, delete on watch.rows to public`)
}

/** The tables in which something was written or removed since they were last forgotten. */
export const written = async ({ db }: Server) =>
  (await db.$client.query<{ name: string }>('select distinct name from watch.rows order by 1')).rows.map(
    ({ name }) => name,
  )

export const forgetWritten = ({ db }: Server) => db.$client.query('delete from watch.rows')

/** What belongs to `owner` is not there for `stranger`: nothing is told, nothing is changed. */
export async function expectUnknown(server: Server, e: Endpoint, owner: Owner, stranger: { token: string }) {
  const params = await paramsFor(server, e, owner)
  await forgetWritten(server)
  const { status, body, text } = await call(server, e, { params, ...restOf(e) }, stranger)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
  for (const secret of [owner.email, owner.lastName, SECRET]) expect(text).not.toContain(secret)
  expect(await written(server)).toEqual([])
}
