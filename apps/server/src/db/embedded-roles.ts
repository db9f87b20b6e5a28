import pg from 'pg'
import { APPLICATION, connection, DATABASE, OWNER, SUPERUSER } from './embedded-connection.ts'

const LOCK = 0x726f6c65
const PLAIN = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'

/** What of this database belongs to somebody else than its owner; identity columns' sequences follow their table. */
const STRANGERS = `
  with mine as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  select format('schema %I', nspname) as thing from pg_namespace
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
   where typnamespace in (select oid from mine) and typtype in ('e', 'd') and typowner <> '${OWNER}'::regrole`

/** What the superuser made, when it still did everything, goes to the owner: `reassign owned` refuses what initdb made. */
const ADOPT = `
do $$ declare thing text; begin
  for thing in ${STRANGERS} loop
    execute format('alter %s owner to ${OWNER}', thing);
  end loop;
end $$`

/** Whether there is nothing left to make or to hand over. */
const SETTLED = `
  select not exists (${STRANGERS})
     and (select pg_get_userbyid(datdba) from pg_database where datname = '${DATABASE}') = '${OWNER}'
     and pg_has_role('${OWNER}', 'pg_read_all_settings', 'member')
     and 2 = (select count(*) from pg_roles where rolname in ('${OWNER}', '${APPLICATION}') and rolcanlogin
                 and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls)) as settled`

type Place = { socket: string; database: string; role: string }

async function as<T>({ socket, database, role }: Place, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection(socket, database, role))
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

/** A role or a database that is not there yet, or may not be entered. */
const ABSENT = new Set(['28000', '3D000', '42501'])

async function isSettled(socket: string): Promise<boolean> {
  try {
    const { rows } = await as({ socket, database: DATABASE, role: OWNER }, (client) =>
      client.query<{ settled: boolean }>(SETTLED),
    )
    return rows[0]?.settled === true
  } catch (error) {
    if (error instanceof pg.DatabaseError && ABSENT.has(error.code ?? '')) return false
    throw error
  }
}

/** Two servers may start at once: the second waits, and finds it done. */
const settle = (socket: string) =>
  as({ socket, database: 'postgres', role: SUPERUSER }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    for (const role of [OWNER, APPLICATION]) await makeRole(client, role)
    // So that it can ask whose files it is looking at.
    await client.query(`grant pg_read_all_settings to ${OWNER}`)
    await makeDatabase(client)
    await as({ socket, database: DATABASE, role: SUPERUSER }, (inside) => inside.query(ADOPT))
  })

/**
 * Two roles without power over others, and a database that belongs to the first. The superuser that initdb made is
 * called for that alone: in a new folder, or in one where it had still done everything.
 */
export async function prepareRoles(socket: string): Promise<void> {
  if (!(await isSettled(socket))) await settle(socket)
}
