import pg from 'pg'
import { APPLICATION_ROLE, buildConnectionUrl, DATABASE_NAME, OWNER_ROLE, SUPERUSER_ROLE } from './embedded-cluster.ts'

const ROLES_LOCK = 0x726f6c65
const UNPRIVILEGED_ROLE = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'

/** Objects of this database not owned by its owner; sequences of identity columns follow their table. */
const FOREIGN_OBJECTS_QUERY = `
  with mine as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  select format('schema %I', nspname) as thing from pg_namespace
   where oid in (select oid from mine) and nspname <> 'public' and nspowner <> '${OWNER_ROLE}'::regrole
  union all
  select format('%s %s', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
                                      else 'table' end, oid::regclass)
    from pg_class c
   where relnamespace in (select oid from mine) and relkind in ('r', 'p', 'S', 'v', 'm')
     and relowner <> '${OWNER_ROLE}'::regrole
     and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                        and d.deptype in ('a', 'i') and c.relkind = 'S')
  union all
  select format('routine %s', oid::regprocedure) from pg_proc
   where pronamespace in (select oid from mine) and proowner <> '${OWNER_ROLE}'::regrole
  union all
  select format('type %s', oid::regtype) from pg_type
   where typnamespace in (select oid from mine) and typtype in ('e', 'd') and typowner <> '${OWNER_ROLE}'::regrole`

/**
 * Objects created by the superuser in older versions go to the owner; `reassign owned` would refuse those of initdb.
 */
const ADOPT_FOREIGN_OBJECTS = `
do $$ declare thing text; begin
  for thing in ${FOREIGN_OBJECTS_QUERY} loop
    execute format('alter %s owner to ${OWNER_ROLE}', thing);
  end loop;
end $$`

/** Whether no role is to be created and no object handed over. */
const ARE_ROLES_READY_QUERY = `
  select not exists (${FOREIGN_OBJECTS_QUERY})
     and (select pg_get_userbyid(datdba) from pg_database where datname = '${DATABASE_NAME}') = '${OWNER_ROLE}'
     and pg_has_role('${OWNER_ROLE}', 'pg_read_all_settings', 'member')
     and 2 = (select count(*) from pg_roles where rolname in ('${OWNER_ROLE}', '${APPLICATION_ROLE}') and rolcanlogin
                 and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls)) as settled`

type RoleConnection = { socket: string; database: string; role: string }

async function withRole<T>(
  { socket, database, role }: RoleConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(buildConnectionUrl(socket, database, role))
  await client.connect()
  return work(client).finally(() => client.end())
}

async function createOrAlterRole(client: pg.Client, role: string) {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  await client.query(`${rowCount ? 'alter' : 'create'} role ${role} ${UNPRIVILEGED_ROLE}`)
}

async function ensureDatabase(client: pg.Client) {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [DATABASE_NAME],
  )
  if (!rows[0]) await client.query(`create database ${DATABASE_NAME} owner ${OWNER_ROLE}`)
  else if (rows[0].owner !== OWNER_ROLE) await client.query(`alter database ${DATABASE_NAME} owner to ${OWNER_ROLE}`)
}

/** A role or database that does not exist yet, or may not be used. */
const ABSENT_CODES = new Set(['28000', '3D000', '42501'])

async function areRolesReady(socket: string): Promise<boolean> {
  try {
    const { rows } = await withRole({ socket, database: DATABASE_NAME, role: OWNER_ROLE }, (client) =>
      client.query<{ settled: boolean }>(ARE_ROLES_READY_QUERY),
    )
    return rows[0]?.settled === true
  } catch (error) {
    if (error instanceof pg.DatabaseError && ABSENT_CODES.has(error.code ?? '')) return false
    throw error
  }
}

/** Two servers may start at once: the second waits, and finds it done. */
const createRoles = (socket: string) =>
  withRole({ socket, database: 'postgres', role: SUPERUSER_ROLE }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ROLES_LOCK])
    for (const role of [OWNER_ROLE, APPLICATION_ROLE]) await createOrAlterRole(client, role)
    // So that it can read which data directory it is connected to.
    await client.query(`grant pg_read_all_settings to ${OWNER_ROLE}`)
    await ensureDatabase(client)
    await withRole({ socket, database: DATABASE_NAME, role: SUPERUSER_ROLE }, (inside) =>
      inside.query(ADOPT_FOREIGN_OBJECTS),
    )
  })

/**
 * Creates two roles without privileges over others, and a database that belongs to the first. The superuser made by
 * initdb is used only for this: in a new folder, or in one where it still owned everything.
 */
export async function ensureRoles(socket: string): Promise<void> {
  if (!(await areRolesReady(socket))) await createRoles(socket)
}
