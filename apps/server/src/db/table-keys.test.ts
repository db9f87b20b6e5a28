import { describe, expect, inject, test } from 'vitest'
import { useServer } from '../../test/server.ts'
import { DIRECTORY, OF_THE_SITE, READ_FIRST, spreadOf } from './schema/directory.ts'

const server = useServer()

type Table = { name: string; columns: string[] }
type Unique = { table: string; name: string; primary: boolean; columns: (string | null)[] }
type Foreign = { table: string; name: string; target: string; pairs: [string, string][] }

const ask = async <T>(query: string): Promise<T[]> => (await server.asOwner(query)).rows

const tables = () =>
  ask<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.relname`)

/** Unique constraints are indexes too; an expression has no column. */
const uniques = () =>
  ask<Unique>(`
    select c.relname as table, x.relname as name, i.indisprimary as primary,
           array(select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality k(n, at)
             left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by k.at) as columns
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and i.indisunique`)

const foreigns = () =>
  ask<Foreign>(`
    select c.relname as table, f.conname as name, t.relname as target,
           array(select array[a.attname::text, b.attname::text]
             from unnest(f.conkey, f.confkey) k(own, other)
             join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own
             join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.other) as pairs
      from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
     where f.contype = 'f' and c.relnamespace = 'public'::regnamespace`)

const ofCompany = (name: string) => !(name in DIRECTORY)

/** Everything that would prevent distributing the tables by company. */
async function faults(): Promise<string[]> {
  const [all, keys, links] = [await tables(), await uniques(), await foreigns()]
  const company = (columns: (string | null)[]) => columns[0] === 'company_id'
  const unkeyed = all.filter(({ name }) => ofCompany(name) && !keys.some((key) => key.table === name && key.primary))
  const columnless = all.filter(({ name, columns }) => ofCompany(name) && !columns.includes('company_id'))
  const loose = keys.filter(({ table, columns }) => ofCompany(table) && !company(columns))
  const paired = ({ pairs }: Foreign) => pairs.some(([own, other]) => own === 'company_id' && other === 'company_id')
  const unpaired = links.filter((link) => ofCompany(link.target) && !paired(link))
  return [
    ...columnless.map(({ name }) => `${name} has no company_id`),
    ...unkeyed.map(({ name }) => `${name} has no primary key`),
    ...loose.map(({ table, name }) => `${table}: ${name} does not begin with the company`),
    ...unpaired.map(({ table, name }) => `${table}: ${name} does not pair the company`),
  ].sort()
}

describe('every table', () => {
  test('has its company first in all keys and indexes, or is in the directory', async () => {
    expect((await tables()).length).toBeGreaterThan(50)
    expect(await faults()).toEqual([])
  })

  test('of the directory exists', async () => {
    const names = (await tables()).map(({ name }) => name)
    expect(Object.keys({ ...DIRECTORY, ...READ_FIRST }).filter((name) => !names.includes(name))).toEqual([])
  })

  test('references only rows stored on the same machine', async () => {
    const REACHES = {
      'by-company': ['by-company', 'everywhere'],
      everywhere: ['everywhere'],
      first: ['everywhere', 'first'],
    }
    const far = (await foreigns()).filter(({ table, target }) => !REACHES[spreadOf(table)].includes(spreadOf(target)))
    expect(far.map(({ name }) => name)).toEqual([])
    const first = (await tables()).map(({ name }) => name).filter((name) => spreadOf(name) === 'first')
    expect(first.filter((name) => !(name in DIRECTORY)).sort()).toEqual([...OF_THE_SITE].sort())
  })
})

// Citus refuses such tables by itself.
test.skipIf(inject('postgres').machines.length > 1)('a table that lacks its key is found, whatever lacks', async () => {
  await server.asOwner(`
    create table loose (id uuid primary key, company_id int not null, code text, file_id uuid,
      constraint loose_code unique (code, company_id));
    create unique index loose_lower on loose (lower(code));
    create unique index files_id on files (id);
    alter table loose add constraint loose_file foreign key (file_id) references files (id);
    create table bare (company_id int not null);
    create table strange (id int primary key)`)
  expect(await faults()).toEqual(
    [
      'bare has no primary key',
      'files: files_id does not begin with the company',
      'loose: loose_code does not begin with the company',
      'loose: loose_file does not pair the company',
      'loose: loose_lower does not begin with the company',
      'loose: loose_pkey does not begin with the company',
      'strange has no company_id',
      'strange: strange_pkey does not begin with the company',
    ].sort(),
  )
})
