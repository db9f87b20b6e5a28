import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { keyOf } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { type Cell, writeCsv } from '../../../files/csv.ts'
import { type Entry, zipOf } from '../../../files/zip.ts'
import { today } from '../../../today.ts'
import { VERSION } from '../../../version.ts'
import {
  ABOUT,
  ARCHIVE_FORMAT,
  COMPANY as COMPANY_ENTRY,
  DIGESTS,
  type Digests,
  SIGNATURE,
  tableOfEntry,
} from './archive-format.ts'
import { signArchive } from './archive-signature.ts'
import { readmeOf } from './company-readme.ts'
import { type CompanyTable, companyTables, quoted, REDACTED_COLUMNS, sealedColumns } from './company-tables.ts'

export type Row = Record<string, unknown>
export type Exported = { rows: number; files: number }
const BATCH = 2000
const MOST_TEXT = 8 * 1024 * 1024

/** Packed days, as people read them. */
const PACKED = new Set(['watts', 'allocated'])
function unpacked(text: string): string {
  const bytes = Buffer.from(text.slice(2), 'hex')
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readInt32LE(at * 4)).join(' ')
}
function cellOf(name: string, value: unknown): Cell {
  if (typeof value === 'string') return PACKED.has(name) && value.startsWith('\\x') ? unpacked(value) : value
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

/** What this installation sealed is opened: it is the company's own. What is a secret of its systems is not there. */
function opened({ secrets }: Deps, table: string, companyId: number, row: Row): Row {
  for (const [column, place] of sealedColumns(table)) {
    const sealed = row[column]
    if (typeof sealed === 'string') row[column] = secrets.open(sealed, place(companyId, String(row.id)))
  }
  for (const column of REDACTED_COLUMNS[table] ?? []) row[column] = null
  return row
}

async function* rowsOf(
  client: pg.PoolClient,
  { name, columns }: CompanyTable,
  companyId: number,
): AsyncGenerator<Row[]> {
  const own = columns.filter((column) => column !== 'company_id').map(quoted)
  await client.query(`declare copied no scroll cursor for
    select to_jsonb(r) as row from (select ${own.join()} from ${quoted(name)} where company_id = ${Math.trunc(companyId)}) r`)
  for (;;) {
    const { rows } = await client.query<{ row: Row }>(`fetch ${BATCH} from copied`)
    if (!rows.length) break
    yield rows.map(({ row }) => row)
  }
  await client.query('close copied')
}

const part = (n: number) => `.${String(n).padStart(3, '0')}`

async function* tableEntries(
  client: pg.PoolClient,
  deps: Deps,
  table: CompanyTable,
  companyId: number,
  done: Exported,
): AsyncGenerator<Entry> {
  const names = table.columns.filter((column) => column !== 'company_id')
  let held: Row[] = []
  let size = 0
  let number = 0
  const on = today()
  const flush = function* (): Generator<Entry> {
    if (!held.length) return
    number++
    const lines = held.map((row) => `${JSON.stringify(row)}\n`).join('')
    yield { name: `donnees/${table.name}${part(number)}.jsonl`, content: Buffer.from(lines), on, text: true }
    const cells = held.map((row) => names.map((name) => cellOf(name, row[name])))
    yield {
      name: `tableaux/${table.name}${part(number)}.csv`,
      content: Buffer.from(writeCsv(names, cells)),
      on,
      text: true,
    }
    done.rows += held.length
    held = []
    size = 0
  }
  for await (const rows of rowsOf(client, table, companyId)) {
    for (const row of rows) {
      held.push(opened(deps, table.name, companyId, row))
      size += JSON.stringify(row).length
    }
    if (size > MOST_TEXT) yield* flush()
  }
  yield* flush()
}

const PEOPLE = `
  select u.first_name as "firstName", u.last_name as "lastName", u.email, m.role, r.name as "ownRole"
    from memberships m join users u on u.id = m.user_id
    left join roles r on r.company_id = m.company_id and r.id = m.role_id
   where m.company_id = $1 order by u.last_name, u.first_name`
const COMPANY = `select name, legal_name as "legalName", siren, address, email, phone from companies where id = $1`

const json = (name: string, value: unknown): Entry => ({
  name,
  content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
  on: today(),
  text: true,
})

const safe = (name: string) => name.replace(/[\\/\0]/g, '_').slice(-120) || 'fichier'

async function* fileEntries(
  client: pg.PoolClient,
  { files }: Deps,
  companyId: number,
  done: Exported,
): AsyncGenerator<Entry> {
  const { rows } = await client.query<{ sha256: string; name: string }>(
    `select sha256, min(name) as name from files f where company_id = $1
        and not exists (select from company_copies c where c.company_id = f.company_id and c.file_id = f.id)
      group by sha256 order by sha256`,
    [companyId],
  )
  for (const { sha256, name } of rows) {
    const content = await files.get(keyOf({ companyId, sha256 }))
    if (!content) continue
    done.files++
    yield { name: `fichiers/${sha256}/${safe(name)}`, content, on: today() }
  }
}

async function* entriesOf(view: Db, deps: Deps, companyId: number, done: Exported): AsyncGenerator<Entry> {
  const client = view.$client as pg.PoolClient // of the snapshot
  const [company] = (await client.query<{ name: string }>(COMPANY, [companyId])).rows
  const tables = await companyTables(view)
  yield { ...json('LISEZMOI.txt', ''), content: Buffer.from(readmeOf(company?.name ?? '', today())) }
  const about = { format: ARCHIVE_FORMAT, version: VERSION, madeOn: today(), tables: tables.map(({ name }) => name) }
  yield json(ABOUT, about)
  yield json(COMPANY_ENTRY, company)
  yield json('personnes.json', (await client.query(PEOPLE, [companyId])).rows)
  for (const table of tables) yield* tableEntries(client, deps, table, companyId, done)
  yield* fileEntries(client, deps, companyId, done)
}

const NEW_LINE = 0x0a

/** The same entries, then what each of them is and the signature of this installation on it. */
async function* signedEntries({ secrets }: Deps, entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  const digests: Digests['entries'] = {}
  for await (const entry of entries) {
    const sha256 = createHash('sha256').update(entry.content).digest('hex')
    const rows = tableOfEntry(entry.name) && entry.content.reduce((sum, byte) => sum + (byte === NEW_LINE ? 1 : 0), 0)
    digests[entry.name] = { sha256, ...(typeof rows === 'number' && { rows }) }
    yield entry
  }
  const text = JSON.stringify({ entries: digests })
  yield { name: DIGESTS, content: Buffer.from(text), on: today(), text: true }
  yield json(SIGNATURE, signArchive(secrets, text))
}

/** All that is a company's, as of one moment, in an archive that any program opens. */
export async function exportCompany(deps: Deps, companyId: number, path: string): Promise<Exported> {
  const done = { rows: 0, files: 0 }
  await snapshot(deps.db, (view) =>
    pipeline(
      zipOf(signedEntries(deps, entriesOf(view, deps, companyId, done))),
      createWriteStream(path, { mode: 0o600 }),
    ),
  )
  return done
}
