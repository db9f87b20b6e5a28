import { sql } from 'drizzle-orm'
import { runStatements } from './citus.ts'
import type { Db } from './client.ts'
import { DIRECTORY } from './schema/directory.ts'

/** Filled by COPY, which row security does not allow; the code that fills it checks the company. */
const COPY_LOADED_TABLES = ['curve_days']

/**
 * The company that a transaction declared (`transaction` of client.ts); one without a declaration is not restricted.
 */
const CURRENT_COMPANY = "nullif(current_setting('voisol.company', true), '')::int"
const COMPANY_CONDITION = `${CURRENT_COMPANY} is null or company_id = ${CURRENT_COMPANY}`

/**
 * Reads are not restricted here: `scope` does that. Inserting for another company is an error; rows of another are not
 * found for a change.
 */
const POLICIES = {
  company_reads_1: 'for select using (true)',
  company_adds_1: `for insert with check (${COMPANY_CONDITION})`,
  company_changes_1: `for update using (${COMPANY_CONDITION}) with check (${COMPANY_CONDITION})`,
  company_removes_1: `for delete using (${COMPANY_CONDITION})`,
}

/** Rows that can never be changed or deleted: for a write they do not exist. Locking one for update skips it too. */
const CHANGEABLE_ROWS: Record<string, string> = { tariffs: "status = 'draft'" }

/**
 * A table's additional conditions are part of the company policies, because Citus makes a restrictive policy permissive
 * on its machines.
 */
function buildPolicies(table: string): Record<string, string> {
  const open = CHANGEABLE_ROWS[table]
  if (!open) return POLICIES
  const { company_reads_1, company_adds_1 } = POLICIES
  return {
    company_reads_1,
    company_adds_1,
    open_changes_1: `for update using ((${COMPANY_CONDITION}) and ${open}) with check (${COMPANY_CONDITION})`,
    open_removes_1: `for delete using ((${COMPANY_CONDITION}) and ${open})`,
  }
}

/**
 * A second protection of writes behind `scope`, applied as the owner. A table that has it is left alone, because
 * creating a policy takes an exclusive lock. A changed rule gets other names.
 */
export async function applyRowSecurity(tx: Db): Promise<void> {
  const { rows } = await tx.execute<{ name: string; secured: boolean; policies: string[] }>(sql`
    select c.relname as name, c.relrowsecurity as secured,
           array(select p.polname::text from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
  const statements = rows.flatMap(({ name, secured, policies }) => {
    if (name in DIRECTORY || COPY_LOADED_TABLES.includes(name)) return []
    const wanted = buildPolicies(name)
    const wrong = policies.filter((policy) => !(policy in wanted))
    const missing = Object.entries(wanted).filter(([policy]) => !policies.includes(policy))
    return [
      ...wrong.map((policy) => `drop policy ${policy} on ${name}`),
      ...missing.map(([policy, rule]) => `create policy ${policy} on ${name} ${rule}`),
      ...(secured ? [] : [`alter table ${name} enable row level security`]),
    ]
  })
  await runStatements(tx, statements)
}
