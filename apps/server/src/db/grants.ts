import { sql } from 'drizzle-orm'
import pg from 'pg'
import { APPEND_ONLY_RULES } from './append-only.ts'
import type { Db } from './client.ts'
import { runStatements } from './spread.ts'

const ROW_RIGHTS = 'select, insert, update, delete'
const SEQUENCE_RIGHTS = 'usage, select'

/** The schemas of the application: its own tables and those of the job queue. */
const APPLICATION_SCHEMAS = ['public', 'jobs']

const schemaGrants = (schema: string, role: string) => [
  `grant usage on schema ${schema} to ${role}`,
  `revoke all on all tables in schema ${schema} from ${role}`,
  `grant ${ROW_RIGHTS} on all tables in schema ${schema} to ${role}`,
  `grant ${SEQUENCE_RIGHTS} on all sequences in schema ${schema} to ${role}`,
  `grant execute on all functions in schema ${schema} to ${role}`,
  `alter default privileges in schema ${schema} grant ${ROW_RIGHTS} on tables to ${role}`,
  `alter default privileges in schema ${schema} grant ${SEQUENCE_RIGHTS} on sequences to ${role}`,
]

/** /readyz reads the list of migrations. */
const migrationGrants = (role: string) => [
  `grant usage on schema drizzle to ${role}`,
  `grant select on all tables in schema drizzle to ${role}`,
]

async function listRevocations(tx: Db, role: string): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const present = new Set(rows.map(({ name }) => name))
  return APPEND_ONLY_RULES.filter(({ table }) => present.has(table)).flatMap(({ table, refused, settable }) => [
    `revoke ${refused.join(', ')} on ${table} from ${role}`,
    ...(settable ? [`grant update (${settable.join(', ')}) on ${table} to ${role}`] : []),
  ])
}

export async function loadCurrentRole(db: Db): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(sql`select current_user as name`)
  return rows[0]?.name ?? ''
}

/** An owner that is also the application role has revoked some of its own rights: it needs them all to migrate. */
export async function restoreOwnerRights(tx: Db): Promise<void> {
  const { rowCount } = await tx.execute(sql`select 1 from pg_tables where schemaname = 'public'
    and tableowner = current_user limit 1`)
  if (rowCount) await tx.execute(sql.raw('grant all on all tables in schema public to current_user'))
}

/**
 * Grants again, as the owner, all rights of the application. An owner that is its own application role revokes the same
 * from itself.
 */
export async function applyGrants(tx: Db, application: string): Promise<void> {
  const role = pg.escapeIdentifier(application)
  const rolesDiffer = application !== (await loadCurrentRole(tx))
  const given = rolesDiffer
    ? [...APPLICATION_SCHEMAS.flatMap((schema) => schemaGrants(schema, role)), ...migrationGrants(role)]
    : []
  await runStatements(tx, [...given, ...(await listRevocations(tx, role))])
}

/** Whether there are tables, and whether this role may change them at will, as their owner or a superior role. */
export async function loadTableOwnership(db: Db): Promise<{ tables: boolean; owns: boolean }> {
  const { rows } = await db.execute<{ tables: boolean; owns: boolean }>(sql`
    select count(*) > 0 as tables, coalesce(bool_or(pg_has_role(current_user, relowner, 'member')), false) as owns
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  return rows[0] ?? { tables: false, owns: false }
}
