import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { formatFrenchDay } from '@voisol/file-formats/french'
import pg from 'pg'
import { getFileKey } from '../../../core/stored-files.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { COMPANY_ARCHIVE, EXCLUDED_TABLES, isSealedIban } from '../../../db/schema/company-archive/company-archive.ts'
import { DIRECTORY } from '../../../db/schema/directory.ts'
import type { Deps } from '../../../deps.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import { getToday } from '../../../today.ts'
import { RELEASE } from '../../../version.ts'
import {
  ARCHIVE_FORMAT,
  COMPANY_FILE as COMPANY_ENTRY,
  DESCRIPTION_FILE,
  DIGESTS_FILE,
  type Digests,
  parseEntryTable,
  SIGNATURE_FILE,
  signArchive,
} from './archive-format.ts'

type ExportedRow = Record<string, unknown>
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

/** A copy does not hold the copies before it. */
const COPY_OF_FILE = 'select from company_copies c where c.company_id = f.company_id and c.file_id = f.id'

async function* streamFileEntries(
  client: pg.PoolClient,
  { files }: Deps,
  companyId: number,
  done: CopyTotals,
): AsyncGenerator<ZipEntryInput> {
  const { rows } = await client.query<{ sha256: string; name: string }>(
    `select sha256, min(name) as name from files f where company_id = $1
        and not exists (${COPY_OF_FILE})
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
  const about = { format: ARCHIVE_FORMAT, version: RELEASE, madeOn: getToday(), tables: tables.map(({ name }) => name) }
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

/** Each table is written twice, as JSON and as CSV; both pack well, which is not counted on. */
const TABLE_FORMATS = 2

/** What the archive of a company takes at most, or nearly: its rows as the database has them, and its files. */
export async function estimateExportBytes(view: Db, companyId: number): Promise<number> {
  const client = view.$client as pg.PoolClient // of the snapshot
  const sum = async (text: string) => (await client.query<{ bytes: number }>(text, [companyId])).rows[0]?.bytes ?? 0
  let bytes = await sum(
    `select coalesce(sum(size), 0)::float8 as bytes
       from (select min(size) as size from files f where company_id = $1 and not exists (${COPY_OF_FILE}) group by sha256) c`,
  )
  for (const { name } of await listCompanyTables(view))
    bytes +=
      TABLE_FORMATS *
      (await sum(
        `select coalesce(sum(pg_column_size(t)), 0)::float8 as bytes from ${quoteIdentifier(name)} t where company_id = $1`,
      ))
  return bytes
}

const formatEntries = (rows: Record<string, string>) =>
  Object.entries(rows)
    .map(([name, why]) => `  - ${name}\u00a0: ${why}`)
    .join('\n')

/** What whoever opens the archive should know, without Voisol. */
const buildArchiveReadme = (
  company: string,
  day: string,
) => `Copie des données de ${company}, faite le ${formatFrenchDay(day)} par Voisol.

donnees/    une table par fichier, une ligne JSON par enregistrement (UTF-8)\u00a0; c’est ce que Voisol relit.
tableaux/   les mêmes tables en CSV (point-virgule, virgule décimale), pour un tableur. Une courbe d’un jour est
            la suite de ses watts moyens, pas par pas, séparés par des espaces\u00a0; -1 où la mesure manque.
fichiers/   les fichiers gardés, chacun dans un dossier qui porte son empreinte SHA-256.
organisation.json, personnes.json   l’organisation, et qui y a accès avec quel rôle.

Une grande table est coupée en plusieurs fichiers (.001, .002…). Les montants sont en centimes, les prix en dix-millièmes
d’euro, les énergies en Wh, les puissances en watts, les instants en temps universel, les jours ceux de Paris.

Ne s’y trouvent pas\u00a0: mots de passe, sessions, seconds facteurs, et
${formatEntries(EXCLUDED_FROM_COPY)}

S’y lisent, mais ne se reprennent pas ailleurs\u00a0:
${formatEntries(Object.fromEntries(EXCLUDED_TABLES.map(({ label, why }) => [label, why])))}

empreintes.json, signature.json   l’empreinte de chaque fichier, et la signature Ed25519 de l’installation qui l’a faite.

Pour la reprendre\u00a0: dans une organisation vide, écran «\u00a0Copies\u00a0», «\u00a0Reprendre une copie\u00a0». Voisol montre d’abord ce qu’il
reprendrait. Les identifiants sont gardés\u00a0; les personnes sont à inviter de nouveau, les clés et les secrets à saisir de nouveau.
Une archive signée dont une entrée a été changée est refusée tout entière. Une archive sans signature valable, ou signée par une
installation à laquelle celle d’arrivée ne fait pas confiance, n’apporte que les participants, les points de livraison et leurs
courbes.
`

/** Tables of a company that its copy leaves out, each with the reason. */
export const EXCLUDED_FROM_COPY: Record<string, string> = {
  api_keys: 'les clés d’API sont des secrets',
  webhooks: 'leur secret de signature en est un',
  webhook_deliveries: 'elles suivent leurs webhooks',
  webhook_attempts: 'elles suivent leurs webhooks',
  enedis_credentials: 'les identifiants du distributeur sont des secrets',
  enedis_answers: 'ce que le distributeur a répondu mot pour mot, déjà lu dans les courbes',
  online_providers: 'les clés du prestataire de paiement sont des secrets',
  connections: 'leurs réglages tiennent des secrets',
  connection_runs: 'ils suivent leurs connexions',
  connection_steps: 'elles suivent leurs connexions',
  connection_deliveries: 'elles suivent leurs connexions',
  data_exports: 'leurs fichiers se refont',
  export_plans: 'ils suivent leurs connexions',
  notifications: 'elles sont à leurs destinataires',
  portal_visits: 'elles sont à des personnes d’ici',
  portal_views: 'elles sont à des sessions d’ici',
  portal_holders: 'ils mènent à des personnes d’ici',
  portal_letters: 'leurs codes n’ouvrent qu’ici',
  event_cursors: 'l’avancement de ce serveur',
  event_sums: 'de même',
  flow_rules: 'elles mènent à des webhooks et à des personnes d’ici',
  flow_deliveries: 'elles suivent leurs règles',
  report_schedules: 'ils mènent à des personnes d’ici',
  company_copies: 'les copies elles-mêmes',
  insight_looks: 'l’avancement de ce serveur',
  site_revisions: 'l’avancement de ce serveur',
  sso_attempts: 'elles sont à des sessions d’ici',
}

/** Columns that are sealed with a key of this installation, and what opens them: what a copy holds is the company's own. */
export const listSealedColumns = (
  table: string,
): [column: string, place: (companyId: number, id: string) => string][] =>
  Object.entries(COMPANY_ARCHIVE[table]?.columns ?? {}).flatMap(([name, column]) =>
    isSealedIban(column) ? [[name, (companyId, id) => `${column.sealedFor} ${companyId} ${id}`]] : [],
  )
/** Secret columns, by table, that a copy replaces by null. */
const REDACTED_COLUMNS: Record<string, string[]> = {
  sync_settings: ['file_key'],
  sso_connections: ['client_secret', 'signing_key', 'scim_hash'],
}

type CompanyTable = { name: string; columns: string[] }

const COLUMNS_QUERY = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   group by c.relname having 'company_id' = any (array_agg(a.attname::text)) order by c.relname`

/** Every table of a company that its copy holds. */
async function listCompanyTables({ $client }: Db): Promise<CompanyTable[]> {
  const { rows } = await $client.query<CompanyTable>(COLUMNS_QUERY)
  return rows.filter(({ name }) => !(name in DIRECTORY) && !(name in EXCLUDED_FROM_COPY))
}

export const quoteIdentifier = pg.escapeIdentifier
