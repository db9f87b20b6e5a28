import type { Db } from './client.ts'
import { ANCHOR } from './schema/directory.ts'

/** Functions that delete rows with the owner's rights, each with the argument that names the company. */
const OWNER_FUNCTIONS: Record<string, string> = {
  'erase_example(integer, text[])': 'example',
  'retire_curves(integer, date)': 'company',
  'retire_audit(integer, timestamp with time zone, integer)': 'company',
  'forget_person(integer, uuid)': 'company',
}

/** Functions older than the Citus extension: later ones are created on every machine. */
const UNDISTRIBUTED_FUNCTIONS_QUERY = `
  select p.oid::regprocedure::text as name from pg_proc p
   where p.pronamespace = 'public'::regnamespace
     and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
     and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
   order by p.prokind = 'a', p.oid`

const IS_DELEGATED_QUERY = `
  select coalesce(force_delegation, false) as sent from pg_dist_object
   where classid = 'pg_proc'::regclass and objid = $1::regprocedure`

/**
 * Citus does not let two roles write rows of one company in one transaction. A function called by another role than the
 * owner is therefore sent to the machine of the rows, over the connection of the caller's own writes, and takes the
 * owner's rights there. A role that is both lifts its own refusal, which only the first machine may do.
 */
export async function distributeOwnerFunctions({ $client }: Db, rolesDiffer: boolean): Promise<void> {
  const { rows } = await $client.query<{ name: string }>(UNDISTRIBUTED_FUNCTIONS_QUERY)
  for (const { name } of rows) await $client.query('select create_distributed_function($1)', [name])
  for (const [name, company] of Object.entries(OWNER_FUNCTIONS)) {
    const { rows: found } = await $client.query<{ sent: boolean }>(IS_DELEGATED_QUERY, [name])
    if (found[0]?.sent === rolesDiffer) continue
    if (!rolesDiffer) await $client.query('select create_distributed_function($1)', [name])
    else
      await $client.query('select create_distributed_function($1, $2, colocate_with => $3, force_delegation => true)', [
        name,
        company,
        ANCHOR,
      ])
  }
}
