import pg from 'pg'
import { connection, SUPERUSER } from './embedded-connection.ts'

export const OWNER = 'voisol_owner'
export const APPLICATION = 'voisol_app'
export const DATABASE = 'voisol'

const LOCK = 0x726f6c65
const PLAIN = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'

/**
 * What the superuser made, when it still did everything, goes to the owner. `reassign owned` refuses the role that
 * initdb made; identity columns' sequences follow their table.
 */
const ADOPT = `
do $$ declare thing text; begin
  for thing in
    with mine as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    select format('schema %I', nspname) from pg_namespace
     where oid in (select oid from mine) and nspname <> 'public' and nspowner <> '${OWNER}'::regrole
    union all
    select format('%s %s', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
                                        else 'table' end, oid::regclass)
      from pg_class c
     where relnamespace in (select oid from mine) and relkind in ('r', 'p', 'S', 'v', 'm')
       and relowner <> '${OWNER}'::regrole
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                          and d.deptype in ('a', 'i') and c.relkind = 'S')
    union all
    select format('routine %s', oid::regprocedure) from pg_proc
     where pronamespace in (select oid from mine) and proowner <> '${OWNER}'::regrole
    union all
    select format('type %s', oid::regtype) from pg_type
     where typnamespace in (select oid from mine) and typtype in ('e', 'd') and typowner <> '${OWNER}'::regrole
  loop
    execute format('alter %s owner to ${OWNER}', thing);
  end loop;
end $$`

async function as<T>(socket: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection(socket, database, SUPERUSER))
  await client.connect()
  return work(client).finally(() => client.end())
}

async function makeRole(client: pg.Client, role: string) {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  await client.query(`${rowCount ? 'alter' : 'create'} role ${role} ${PLAIN}`)
}

async function makeDatabase(client: pg.Client) {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [DATABASE],
  )
  if (!rows[0]) await client.query(`create database ${DATABASE} owner ${OWNER}`)
  else if (rows[0].owner !== OWNER) await client.query(`alter database ${DATABASE} owner to ${OWNER}`)
}

/**
 * The one thing done as the superuser that initdb made: two roles without its power, and a database that belongs to the
 * first. Two servers may start at once: the second waits, and finds it done.
 */
export const prepareRoles = (socket: string) =>
  as(socket, 'postgres', async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    for (const role of [OWNER, APPLICATION]) await makeRole(client, role)
    await makeDatabase(client)
    await as(socket, DATABASE, (inside) => inside.query(ADOPT))
  })
