import { sql } from 'drizzle-orm'
import pg from 'pg'
import { runStatements } from './citus.ts'
import type { Db } from './client.ts'

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

/** Statements refused to the application on an append-only table, and columns it may still update. */
type AppendOnlyRule = { table: string; refused: ('update' | 'delete' | 'truncate')[]; settable?: string[] }

const ALL_CHANGES: AppendOnlyRule['refused'] = ['update', 'delete', 'truncate']

/**
 * Enforced by grants to the application's role, not by triggers, which distributed tables do not support. Tables of
 * future migrations may be listed already: absent ones are skipped.
 */
export const APPEND_ONLY_RULES: AppendOnlyRule[] = [
  { table: 'audit_entries', refused: ALL_CHANGES },
  { table: 'events', refused: ALL_CHANGES },
  { table: 'content_versions', refused: ALL_CHANGES },
  // A newer version sets the end of the older one and changes nothing else in it.
  { table: 'curve_days', refused: ALL_CHANGES, settable: ['superseded_at'] },
  { table: 'distributor_quantities', refused: ALL_CHANGES, settable: ['superseded_at'] },
  // Results of a run never change; a provisional run that was replaced is deleted with its rows.
  { table: 'allocation_days', refused: ['update', 'truncate'] },
  { table: 'allocation_totals', refused: ['update', 'truncate'] },
  { table: 'allocation_pairs', refused: ['update', 'truncate'] },
  // Setting values and issued documents never change.
  { table: 'dated_settings', refused: ALL_CHANGES },
  { table: 'price_index_values', refused: ALL_CHANGES },
  { table: 'billing_months', refused: ALL_CHANGES, settable: ['status', 'issued_at', 'issued_by', 'looked_at'] },
  { table: 'billing_computations', refused: ALL_CHANGES },
  { table: 'invoices', refused: ALL_CHANGES },
  { table: 'invoice_anchors', refused: ALL_CHANGES },
  { table: 'invoice_files', refused: ALL_CHANGES },
  { table: 'invoice_deliveries', refused: ALL_CHANGES },
  { table: 'producer_statements', refused: ALL_CHANGES },
  // Published news of an incident never changes.
  { table: 'incident_updates', refused: ALL_CHANGES },
  // Payments are never changed: another row reverses them.
  { table: 'payments', refused: ALL_CHANGES },
  { table: 'matches', refused: ALL_CHANGES },
  { table: 'past_documents', refused: ALL_CHANGES },
  { table: 'regulatory_exports', refused: ALL_CHANGES },
  { table: 'regulatory_sendings', refused: ALL_CHANGES },
  { table: 'reports', refused: ALL_CHANGES },
  { table: 'subscription_changes', refused: ALL_CHANGES },
  { table: 'subscription_buyers', refused: ALL_CHANGES },
  { table: 'subscription_invoices', refused: ALL_CHANGES },
  // A reminder never changes after it was sent; only the result of its delivery is added.
  { table: 'reminders', refused: ALL_CHANGES, settable: ['mailed_at', 'failure'] },
  { table: 'reminder_items', refused: ALL_CHANGES },
  // Bank statements never change.
  { table: 'bank_statements', refused: ALL_CHANGES },
  { table: 'supplier_bills', refused: ALL_CHANGES },
  // Messages of a payment provider never change; only their handling by a person is recorded.
  { table: 'online_events', refused: ALL_CHANGES, settable: ['settled_at', 'settled_by', 'note'] },
  // Locked months, questions about them and declarations made from them never change.
  { table: 'book_locks', refused: ALL_CHANGES },
  { table: 'book_entries', refused: ALL_CHANGES },
  { table: 'book_lines', refused: ALL_CHANGES },
  { table: 'book_doubts', refused: ALL_CHANGES },
  { table: 'book_notes', refused: ALL_CHANGES },
  { table: 'declarations', refused: ALL_CHANGES },
  // Logs of a connection and forecasts of a weather provider never change; they are deleted with their connection.
  { table: 'connection_steps', refused: ALL_CHANGES },
  { table: 'connection_deliveries', refused: ALL_CHANGES },
  { table: 'weather_runs', refused: ALL_CHANGES },
  // A forecast stays as it was issued.
  { table: 'issued_forecasts', refused: ALL_CHANGES },
]
