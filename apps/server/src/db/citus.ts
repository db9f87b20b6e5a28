import { sql } from 'drizzle-orm'
import pg from 'pg'
import { StartupError } from '../startup.ts'
import { type Db, transaction } from './client.ts'
import { ANCHOR, OF_THE_SITE, type Spread, spreadOf } from './schema/directory.ts'

/** One message for all of them, where each would wait for its answer; machines that share the tables take them one by one. */
export async function runStatements(tx: Db, statements: string[]): Promise<void> {
  if (statements.length === 0) return
  if (!(await areTablesDistributed(tx))) return void (await tx.execute(sql.raw(statements.join('\n;\n'))))
  for (const statement of statements) await tx.execute(sql.raw(statement))
}

const DISTRIBUTION_ORDER: Spread[] = ['everywhere', 'by-company']

const UNDISTRIBUTED_TABLES_QUERY = `
  select c.relname as name, d.logicalrelid is not null as known from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and not coalesce(d.partmethod = 'h' or d.repmodel = 't', false)
   order by c.relname <> '${ANCHOR}', c.relname`

/**
 * Tables that lie on the first machine and should not, in the order in which they leave it; and those of the site, which stay
 * there but are joined to what is everywhere, so that the others must know where they are.
 */
async function listUndistributedTables({ $client }: Db): Promise<string[]> {
  const { rows } = await $client.query<{ name: string; known: boolean }>(UNDISTRIBUTED_TABLES_QUERY)
  const leaving = DISTRIBUTION_ORDER.flatMap((spread) =>
    rows.map(({ name }) => name).filter((name) => spreadOf(name) === spread),
  )
  return [...leaving, ...rows.filter(({ name, known }) => !known && OF_THE_SITE.includes(name)).map(({ name }) => name)]
}

async function distributeTable({ $client }: Db, table: string) {
  if (spreadOf(table) === 'first')
    return $client.query('select citus_add_local_table_to_metadata($1::regclass)', [table])
  if (spreadOf(table) === 'everywhere') return $client.query('select create_reference_table($1::regclass)', [table])
  const beside = table === ANCHOR ? 'default' : ANCHOR
  const text = "select create_distributed_table($1::regclass, 'company_id', colocate_with => $2)"
  return $client.query(text, [table, beside])
}

/** Foreign keys in the way are written down before they go: a start that is cut short has them put back by the next. */
const CREATE_SAVED_KEYS_TABLE =
  'create table if not exists drizzle.kept_keys (relation text, name text, definition text)'
const SAVE_KEYS = `
  insert into drizzle.kept_keys
    select r.relname, f.conname, pg_get_constraintdef(f.oid) from pg_constraint f join pg_class r on r.oid = f.conrelid
     where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conparentid = 0
       and (f.conrelid = any ($1::regclass[]) or f.confrelid = any ($1::regclass[]))
  returning relation, name`
type SavedForeignKey = { relation: string; name: string; definition: string }

const dropForeignKeys = (owner: Db, tables: string[]) =>
  transaction(owner, async ({ $client }) => {
    await $client.query(CREATE_SAVED_KEYS_TABLE)
    const { rows } = await $client.query<SavedForeignKey>(SAVE_KEYS, [tables])
    for (const { relation, name } of rows)
      await $client.query(`alter table ${pg.escapeIdentifier(relation)} drop constraint ${pg.escapeIdentifier(name)}`)
  })

async function restoreForeignKeys(owner: Db) {
  const { rows } = await owner.$client.query<SavedForeignKey>('select * from drizzle.kept_keys order by relation, name')
  for (const { relation, name, definition } of rows)
    await transaction(owner, async ({ $client }) => {
      const [table, key] = [pg.escapeIdentifier(relation), pg.escapeIdentifier(name)]
      await $client.query(`alter table ${table} add constraint ${key} ${definition}`)
      await $client.query('delete from drizzle.kept_keys where relation = $1 and name = $2', [relation, name])
    })
  await owner.$client.query('drop table drizzle.kept_keys')
}

/**
 * `set local` reaches the machines that hold the rows, so that the wall between companies stands there too; and what
 * changes a copied table and the rows that name it goes one after the other.
 */
const CITUS_SETTINGS = { 'citus.propagate_set_commands': 'local', 'citus.multi_shard_modify_mode': 'sequential' }

export async function applyCitusSettings({ $client }: Db) {
  const { rows } = await $client.query<{ name: string }>('select current_database() as name')
  const database = pg.escapeIdentifier(rows[0]?.name ?? '')
  for (const [name, value] of Object.entries(CITUS_SETTINGS))
    await $client.query(`alter database ${database} set ${name} = '${value}'`)
}

/** As the owner, and nobody else at the same time: each table goes by itself, and what is done is not done again. */
export async function distributeTables(owner: Db): Promise<void> {
  await requireCitusNodes(owner)
  const tables = await listUndistributedTables(owner)
  const { rows } = await owner.execute<{ begun: boolean }>(
    sql`select to_regclass('drizzle.kept_keys') is not null as begun`,
  )
  if (!tables.length && !rows[0]?.begun) return
  await applyCitusSettings(owner)
  await dropForeignKeys(owner, tables)
  for (const table of tables) await distributeTable(owner, table)
  await restoreForeignKeys(owner)
}

const ADD_FOREIGN_KEY_PATTERN = /^\s*alter table "(\w+)" add constraint [^;]* foreign key/i

/** What a migration makes goes where it belongs before it is tied to what is there: it could not be tied from elsewhere. */
export async function distributeBeforeForeignKey(tx: Db, statement: string): Promise<void> {
  const table = ADD_FOREIGN_KEY_PATTERN.exec(statement)?.[1]
  if (table && spreadOf(table) !== 'first' && (await listUndistributedTables(tx)).includes(table))
    await distributeTable(tx, table)
}

/** Whether the tables have been spread: until they are, migrations make them where they find them. */
export async function areTablesDistributed({ $client }: Db): Promise<boolean> {
  const { rows } = await $client.query<{ there: boolean }>(
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as there",
  )
  if (!rows[0]?.there) return false
  const spread = await $client.query('select 1 from pg_dist_partition where logicalrelid = to_regclass($1)', [ANCHOR])
  return spread.rowCount === 1
}

/** So that what is asked at every call is asked in one go where it can be. */
export async function recordTableDistribution(...databases: Db[]): Promise<void> {
  for (const db of databases) db.$jobs.spread = await areTablesDistributed(db)
}

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
async function requireCitusNodes(db: Db): Promise<void> {
  const { rows } = await db.execute<{ first: boolean; others: boolean }>(sql`
    select coalesce(bool_or(groupid = 0), false) as first, coalesce(bool_or(groupid <> 0), false) as others
      from pg_dist_node where isactive`)
  if (!rows[0]?.first || !rows[0].others) throw new StartupError(NO_MACHINES)
}

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

/**
 * Ends an insert from arrays: Citus would forward the rows by COPY, which row security refuses; with a returning clause
 * it forwards inserts, and counts the rows written.
 */
export const RETURNING_ONE = sql`returning 1`
