import pg from 'pg'

const name = pg.escapeIdentifier
export type Table = { name: string; columns: string[] }
type Client = { query: pg.ClientBase['query'] }

/** Every table of the installation, with the columns that are its own to keep: others follow from them. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attgenerated = ''
     group by c.relname order by c.relname`)
  return rows
}

/** As the database keeps them: packed days pass through as they are. */
export const copyOut = ({ name: table, columns }: Table) =>
  `copy (select ${columns.map(name).join()} from ${name(table)}) to stdout (format binary)`
export const copyIn = ({ name: table, columns }: Table) =>
  `copy ${name(table)} (${columns.map(name).join()}) from stdin (format binary)`

/** Where the numbers that the database gives have come to. */
export async function readSequences(client: Client): Promise<{ name: string; value: number }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, last_value as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`)
  return rows.map((row) => ({ name: row.name, value: Number(row.value) }))
}

export const setSequence = (client: Client, sequence: string, value: number) =>
  client.query('select setval($1::regclass, $2)', [`public.${name(sequence)}`, value])

type Link = { table: string; name: string; definition: string }

/** What links tables is taken off and put back once all rows are there, which checks every one of them. */
export async function withoutLinks(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Link>(`
    select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`)
  const each = (change: (link: Link) => string) =>
    client.query(rows.map((link) => `alter table ${name(link.table)} ${change(link)}`).join(';\n'))
  await each((link) => `drop constraint ${name(link.name)}`)
  await work()
  await each((link) => `add constraint ${name(link.name)} ${link.definition}`)
}
