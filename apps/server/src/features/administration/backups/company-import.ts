import { createHash } from 'node:crypto'
import { z } from 'zod'
import { keyOf } from '../../../core/kept-files.ts'
import { markEverySum } from '../../../core/sum-marks.ts'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { readZip, type ZipFile } from '../../../files/read-zip.ts'
import { verifySeries } from '../../money/invoices/invoices.ts'
import type { Exported, Row } from './company-export.ts'
import { type CompanyTable, companyTables, inOrder, ONLY_READ, quoted, SEALED } from './company-tables.ts'
import { CopyFault } from './fault.ts'

const About = z.object({ format: z.int(), version: z.string() })
const STRANGE =
  'Ce fichier n’est pas une copie d’organisation faite par Voisol, ou il est abîmé\u00a0: rien n’a été repris.'

function openArchive(zip: Buffer): ZipFile[] {
  try {
    const files = readZip(zip)
    const about = About.parse(
      JSON.parse(
        files
          .find(({ name }) => name === 'copie.json')
          ?.read()
          .toString() ?? '',
      ),
    )
    if (about.format > 1)
      throw new CopyFault(`Cette copie vient d’une version plus récente de Voisol (${about.version}).`)
    return files
  } catch (error) {
    throw error instanceof CopyFault ? error : new CopyFault(STRANGE, { cause: error })
  }
}

function readRows(file: ZipFile): Row[] {
  const Line = z.record(z.string(), z.unknown())
  try {
    return file
      .read()
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => Line.parse(JSON.parse(line)))
  } catch (error) {
    throw new CopyFault(`${file.name} ne se lit pas\u00a0: rien n’a été repris.`, { cause: error })
  }
}

/** What a company that has begun would have: a copy is not mixed with it. */
const BEGUN = ['operations', 'participants', 'points', 'sellers', 'invoices', 'curve_imports', 'projects']
export async function isEmptyCompany(db: Db, companyId: number): Promise<boolean> {
  const found = BEGUN.map((table) => `exists (select from ${table} where company_id = $1)`).join(' or ')
  const { rows } = await db.$client.query<{ begun: boolean }>(`select ${found} as begun`, [companyId])
  return !rows[0]?.begun
}

/** As it is kept here: for this company, sealed with the key of this installation, naming nobody of elsewhere. */
function own({ secrets }: Deps, table: CompanyTable, taken: Set<string>, companyId: number, row: Row): Row {
  for (const { target, columns } of table.links)
    if (!taken.has(target)) for (const column of columns) row[column] = null
  for (const [column, place] of Object.entries(SEALED[table.name] ?? {})) {
    const text = row[column]
    if (typeof text !== 'string') continue
    row[column] = secrets.seal(text, place(companyId, String(row.id)))
    if (`${column}_print` in row) row[`${column}_print`] = secrets.print(text, 'iban')
  }
  return { ...row, company_id: companyId }
}

async function insert(tx: Db, { name, columns }: CompanyTable, rows: Row[]): Promise<number> {
  const listed = columns.map(quoted).join()
  const { rowCount } = await tx.$client.query(
    `insert into ${quoted(name)} (${listed}) select ${listed} from jsonb_populate_recordset(null::${quoted(name)}, $1::jsonb)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  return rowCount ?? 0
}

/** A content is kept under its hash once it has that hash: what is called otherwise is not taken. */
async function takeFiles({ files }: Deps, companyId: number, archive: ZipFile[]): Promise<number> {
  let count = 0
  for (const file of archive) {
    const [, sha256] = /^fichiers\/([0-9a-f]{64})\//.exec(file.name) ?? []
    if (!sha256) continue
    const content = file.read()
    if (createHash('sha256').update(content).digest('hex') !== sha256)
      throw new CopyFault(`Le fichier ${file.name} n’a pas le contenu que son nom annonce\u00a0: rien n’a été repris.`)
    await files.put(keyOf({ companyId, sha256 }), content, 'application/octet-stream')
    count++
  }
  return count
}

/** A series that does not hold was changed on the way: nothing of it is taken. */
async function requireSeries(tx: Db, companyId: number): Promise<void> {
  const broken = (await verifySeries(tx)).find((series) => series.companyId === companyId && series.broken)
  if (broken)
    throw new CopyFault(
      `La série de factures ${broken.prefix}${broken.year} de la copie est rompue au document ${broken.broken?.number}\u00a0: rien n’a été repris.`,
    )
}

/** The copy of a company taken up by an empty one: ids stay, under the new company; all of it, or nothing. */
export async function importCompany(deps: Deps, companyId: number, zip: Buffer): Promise<Exported> {
  const archive = openArchive(zip)
  return transaction(deps.db, async (tx) => {
    if (!(await isEmptyCompany(tx, companyId)))
      throw new CopyFault(
        'Cette organisation n’est pas vide\u00a0: une copie se reprend dans une organisation qui n’a encore ni opération, ni participant, ni facture.',
      )
    const order = inOrder(await companyTables(tx))
    const taken = new Set(order.map(({ name }) => name))
    const done = { rows: 0, files: await takeFiles(deps, companyId, archive) }
    for (const table of order)
      for (const file of archive.filter(({ name }) => isPartOf(name, table.name))) {
        const rows = readRows(file).map((row) => own(deps, table, taken, companyId, row))
        done.rows += await insert(tx, table, rows)
      }
    await requireSeries(tx, companyId)
    await markEverySum(tx, companyId)
    return done
  })
}

const isPartOf = (file: string, table: string) =>
  !(table in ONLY_READ) && new RegExp(`^donnees/${table}\\.\\d{3}\\.jsonl$`).test(file)
