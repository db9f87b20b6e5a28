import pg from 'pg'

const escapeName = pg.escapeIdentifier
export type InstallationTable = { name: string; columns: string[] }
type Client = { query: pg.ClientBase['query'] }

/** Every table of the installation, with the columns that are its own to keep: others follow from them. */
export async function listInstallationTables(client: Client): Promise<InstallationTable[]> {
  const { rows } = await client.query<InstallationTable>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attgenerated = ''
     group by c.relname order by c.relname`)
  return rows
}

/** As the database keeps them: packed days pass through as they are. */
export const buildCopyOutQuery = ({ name: table, columns }: InstallationTable) =>
  `copy (select ${columns.map(escapeName).join()} from ${escapeName(table)}) to stdout (format binary)`
export const buildCopyInQuery = ({ name: table, columns }: InstallationTable) =>
  `copy ${escapeName(table)} (${columns.map(escapeName).join()}) from stdin (format binary)`

/** Where the numbers that the database gives have come to. */
export async function listSequences(client: Client): Promise<{ name: string; value: number }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, last_value as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`)
  return rows.map((row) => ({ name: row.name, value: Number(row.value) }))
}

export const setSequence = (client: Client, sequence: string, value: number) =>
  client.query('select setval($1::regclass, $2)', [`public.${escapeName(sequence)}`, value])

type ForeignKey = { table: string; name: string; definition: string }

/** What links tables is taken off and put back once all rows are there, which checks every one of them. */
export async function withoutForeignKeys(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<ForeignKey>(`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`)
  const alterAll = (change: (link: ForeignKey) => string) =>
    client.query(rows.map((link) => `alter table ${escapeName(link.table)} ${change(link)}`).join(';\n'))
  await alterAll((link) => `drop constraint ${escapeName(link.name)}`)
  await work()
  await alterAll((link) => `add constraint ${escapeName(link.name)} ${link.definition}`)
}
