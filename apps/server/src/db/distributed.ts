import { sql } from 'drizzle-orm'
import { StartupError } from '../startup-error.ts'
import type { Db } from './client.ts'

/** The engine given by the operator; detected when not set. */
export type DatabaseEngine = 'postgresql' | 'citus'

const NO_CITUS =
  'DATABASE_ENGINE=citus\u00a0: l’extension citus n’est pas dans cette base. Un administrateur l’y met («\u00a0create extension citus\u00a0») ' +
  'sur chaque machine, puis y inscrit les machines (voir docs/scaling.md).'
const NO_MACHINES =
  'Citus est dans cette base sans savoir où sont les machines\u00a0: un administrateur les inscrit avec citus_set_coordinator_host ' +
  'et citus_add_node (voir docs/scaling.md).'

/** Whether the tables of this database are to be distributed over machines. */
export async function isDistributed(db: Db, engine?: DatabaseEngine): Promise<boolean> {
  if (engine === 'postgresql') return false
  const { rowCount } = await db.execute(sql`select 1 from pg_extension where extname = 'citus'`)
  if (!rowCount && engine) throw new StartupError(NO_CITUS)
  return Boolean(rowCount)
}

/** Reference tables are also stored on the first machine, which must therefore be registered with the others. */
export async function requireCitusNodes(db: Db): Promise<void> {
  const { rows } = await db.execute<{ first: boolean; others: boolean }>(sql`
    select coalesce(bool_or(groupid = 0), false) as first, coalesce(bool_or(groupid <> 0), false) as others
      from pg_dist_node where isactive`)
  if (!rows[0]?.first || !rows[0].others) throw new StartupError(NO_MACHINES)
}
