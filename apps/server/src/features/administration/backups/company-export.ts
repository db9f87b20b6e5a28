import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { getFileKey } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import type { Deps } from '../../../deps.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import { getToday } from '../../../today.ts'
import { VERSION } from '../../../version.ts'
import {
  ARCHIVE_FORMAT,
  COMPANY_FILE as COMPANY_ENTRY,
  DESCRIPTION_FILE,
  DIGESTS_FILE,
  type Digests,
  parseEntryTable,
  SIGNATURE_FILE,
} from './archive-format.ts'
import { signArchive } from './archive-signature.ts'
import { buildArchiveReadme } from './company-readme.ts'
import {
  type CompanyTable,
  listCompanyTables,
  listSealedColumns,
  quoteIdentifier,
  REDACTED_COLUMNS,
} from './company-tables.ts'

export type ExportedRow = Record<string, unknown>
export type CopyTotals = { rows: number; files: number }
const ROWS_PER_FETCH = 2000
const MAX_PART_CHARACTERS = 8 * 1024 * 1024

/** Packed days, as people read them. */
const PACKED_COLUMNS = new Set(['watts', 'allocated'])
function formatPackedDay(text: string): string {
  const bytes = Buffer.from(text.slice(2), 'hex')
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readInt32LE(at * 4)).join(' ')
}
function toCell(name: string, value: unknown): SpreadsheetCell {
  if (typeof value === 'string')
    return PACKED_COLUMNS.has(name) && value.startsWith('\\x') ? formatPackedDay(value) : value
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

/** What this installation sealed is opened: it is the company's own. What is a secret of its systems is not there. */
function decryptRow({ secrets }: Deps, table: string, companyId: number, row: ExportedRow): ExportedRow {
  for (const [column, place] of listSealedColumns(table)) {
    const sealed = row[column]
    if (typeof sealed === 'string') row[column] = secrets.open(sealed, place(companyId, String(row.id)))
  }
  for (const column of REDACTED_COLUMNS[table] ?? []) row[column] = null
  return row
}

async function* streamTableRows(
  client: pg.PoolClient,
  { name, columns }: CompanyTable,
  companyId: number,
): AsyncGenerator<ExportedRow[]> {
  const own = columns.filter((column) => column !== 'company_id').map(quoteIdentifier)
  await client.query(`declare copied no scroll cursor for
    select to_jsonb(r) as row from (select ${own.join()} from ${quoteIdentifier(name)} where company_id = ${Math.trunc(companyId)}) r`)
  for (;;) {
    const { rows } = await client.query<{ row: ExportedRow }>(`fetch ${ROWS_PER_FETCH} from copied`)
    if (!rows.length) break
    yield rows.map(({ row }) => row)
  }
  await client.query('close copied')
}

const formatPartSuffix = (n: number) => `.${String(n).padStart(3, '0')}`

async function* streamTableEntries(
  client: pg.PoolClient,
  deps: Deps,
  table: CompanyTable,
  companyId: number,
  done: CopyTotals,
): AsyncGenerator<ZipEntryInput> {
  const names = table.columns.filter((column) => column !== 'company_id')
  let pendingRows: ExportedRow[] = []
  let size = 0
  let number = 0
  const on = getToday()
  const flush = function* (): Generator<ZipEntryInput> {
    if (!pendingRows.length) return
    number++
    const lines = pendingRows.map((row) => `${JSON.stringify(row)}\n`).join('')
    yield {
      name: `donnees/${table.name}${formatPartSuffix(number)}.jsonl`,
      content: Buffer.from(lines),
      on,
      text: true,
    }
    const cells = pendingRows.map((row) => names.map((name) => toCell(name, row[name])))
    yield {
      name: `tableaux/${table.name}${formatPartSuffix(number)}.csv`,
      content: Buffer.from(writeCsv(names, cells)),
      on,
      text: true,
    }
    done.rows += pendingRows.length
    pendingRows = []
    size = 0
  }
  for await (const rows of streamTableRows(client, table, companyId)) {
    for (const row of rows) {
      pendingRows.push(decryptRow(deps, table.name, companyId, row))
      size += JSON.stringify(row).length
    }
    if (size > MAX_PART_CHARACTERS) yield* flush()
  }
  yield* flush()
}

const PEOPLE_QUERY = `
  select u.first_name as "firstName", u.last_name as "lastName", u.email, m.role, r.name as "ownRole"
    from memberships m join users u on u.id = m.user_id
    left join roles r on r.company_id = m.company_id and r.id = m.role_id
   where m.company_id = $1 order by u.last_name, u.first_name`
const COMPANY_QUERY = `select name, legal_name as "legalName", siren, address, email, phone from companies where id = $1`

const toJsonEntry = (name: string, value: unknown): ZipEntryInput => ({
  name,
  content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
  on: getToday(),
  text: true,
})

const toSafeFileName = (name: string) => name.replace(/[\\/\0]/g, '_').slice(-120) || 'fichier'

async function* streamFileEntries(
  client: pg.PoolClient,
  { files }: Deps,
  companyId: number,
  done: CopyTotals,
): AsyncGenerator<ZipEntryInput> {
  const { rows } = await client.query<{ sha256: string; name: string }>(
    `select sha256, min(name) as name from files f where company_id = $1
        and not exists (select from company_copies c where c.company_id = f.company_id and c.file_id = f.id)
      group by sha256 order by sha256`,
    [companyId],
  )
  for (const { sha256, name } of rows) {
    const content = await files.get(getFileKey({ companyId, sha256 }))
    if (!content) continue
    done.files++
    yield { name: `fichiers/${sha256}/${toSafeFileName(name)}`, content, on: getToday() }
  }
}

async function* streamArchiveEntries(
  view: Db,
  deps: Deps,
  companyId: number,
  done: CopyTotals,
): AsyncGenerator<ZipEntryInput> {
  const client = view.$client as pg.PoolClient // of the snapshot
  const [company] = (await client.query<{ name: string }>(COMPANY_QUERY, [companyId])).rows
  const tables = await listCompanyTables(view)
  yield {
    ...toJsonEntry('LISEZMOI.txt', ''),
    content: Buffer.from(buildArchiveReadme(company?.name ?? '', getToday())),
  }
  const about = { format: ARCHIVE_FORMAT, version: VERSION, madeOn: getToday(), tables: tables.map(({ name }) => name) }
  yield toJsonEntry(DESCRIPTION_FILE, about)
  yield toJsonEntry(COMPANY_ENTRY, company)
  yield toJsonEntry('personnes.json', (await client.query(PEOPLE_QUERY, [companyId])).rows)
  for (const table of tables) yield* streamTableEntries(client, deps, table, companyId, done)
  yield* streamFileEntries(client, deps, companyId, done)
}

const NEW_LINE = 0x0a

/** The same entries, then what each of them is and the signature of this installation on it. */
async function* appendSignature(
  { secrets }: Deps,
  entries: AsyncIterable<ZipEntryInput>,
): AsyncGenerator<ZipEntryInput> {
  const digests: Digests['entries'] = {}
  for await (const entry of entries) {
    const sha256 = createHash('sha256').update(entry.content).digest('hex')
    const rows =
      parseEntryTable(entry.name) && entry.content.reduce((sum, byte) => sum + (byte === NEW_LINE ? 1 : 0), 0)
    digests[entry.name] = { sha256, ...(typeof rows === 'number' && { rows }) }
    yield entry
  }
  const text = JSON.stringify({ entries: digests })
  yield { name: DIGESTS_FILE, content: Buffer.from(text), on: getToday(), text: true }
  yield toJsonEntry(SIGNATURE_FILE, signArchive(secrets, text))
}

/** All that is a company's, as of one moment, in an archive that any program opens. */
export async function exportCompany(deps: Deps, companyId: number, path: string): Promise<CopyTotals> {
  const done = { rows: 0, files: 0 }
  await readSnapshot(deps.db, (view) =>
    pipeline(
      createZipStream(appendSignature(deps, streamArchiveEntries(view, deps, companyId, done))),
      createWriteStream(path, { mode: 0o600 }),
    ),
  )
  return done
}
