import type { ArchivePreview, TrustedInstallation } from '@voisol/contract/backups'
import { formatFrenchNumber } from '@voisol/file-formats/french'
import { asc, eq, sql } from 'drizzle-orm'
import { loadPointsLimit, requirePointsWithinPlan } from '../../../core/plan.ts'
import { markAllRollupsStale } from '../../../core/stale-rollups.ts'
import { getFileKey, getMediaType, lockFileContent, sanitizeFileName } from '../../../core/stored-files.ts'
import { type Db, readSnapshot, scopeToCompany, transaction } from '../../../db/client.ts'
import { getErrorCauses, getSystemErrorCode, isDatabaseRefusal } from '../../../db/database-errors.ts'
import { type ArchiveRow, COMPANY_ARCHIVE, isSealedIban } from '../../../db/schema/company-archive/company-archive.ts'
import { participations, trustedInstallations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import { recomputeCurveMonths } from '../../energy/curves/index.ts'
import { postPayment } from '../../payments/payments/index.ts'
import { getOwnPublicKeys } from './archive-format.ts'
import { type CopyTotals, estimateExportBytes, quoteIdentifier } from './company-export.ts'
import { CopyFault } from './copy-format.ts'
import type { TrustedKey } from './open-archive.ts'
import type { ImportedAccounts, ImportedDocument } from './parse-archive.ts'
import type { FileContent, ReadArchive, TableBatches } from './read-archive.ts'

/** What a company that has begun would have: a copy is not mixed with it. */
const TABLES_IN_USE = ['operations', 'participants', 'points', 'sellers', 'invoices', 'curve_imports', 'projects']
export const COMPANY_NOT_EMPTY =
  'Cette organisation n’est pas vide\u00a0: une copie se reprend dans une organisation qui n’a encore ni opération, ni participant, ni facture.'
export async function isEmptyCompany(db: Db, companyId: number): Promise<boolean> {
  const found = TABLES_IN_USE.map((table) => `exists (select from ${table} where company_id = $1)`).join(' or ')
  const { rows } = await db.$client.query<{ begun: boolean }>(`select ${found} as begun`, [companyId])
  return !rows[0]?.begun
}

/** Left free beside what a company writes, for everybody else. */
const SPARE_BYTES = 256 * 1024 * 1024
/** Rows take their indexes and the database's journal as well. */
const TABLE_GROWTH = 3
const IMPORT_AUTHOR = 'Copie reprise'

/** What a company asks for never fills the disk that everybody writes to. */
async function requireFreeSpace({ config, room }: Deps, bytes: number, refusal: string): Promise<void> {
  const spaceFault = await room.lacking()
  if (spaceFault) throw new CopyFault(spaceFault)
  const space = await room.freeSpace(config.dataDir)
  if (space.bytes < bytes + SPARE_BYTES) throw new CopyFault(refusal)
}
export const requireSpaceForImport = (deps: Deps, bytes: number) =>
  requireFreeSpace(
    deps,
    bytes,
    'Il n’y a pas assez de place sur le disque pour reprendre cette copie\u00a0: rien n’a été repris.',
  )

/** The draft is written whole on this machine, then once more where files are kept, unless that is elsewhere. */
export async function requireSpaceForExport(deps: Deps, companyId: number): Promise<void> {
  const bytes = await readSnapshot(deps.db, (view) => estimateExportBytes(view, companyId))
  await requireFreeSpace(
    deps,
    deps.config.FILES_S3_BUCKET ? bytes : 2 * bytes,
    'Il n’y a pas assez de place sur le disque pour préparer cette copie\u00a0: rien n’a été écrit. Prévenez qui administre cette installation.',
  )
}

async function readArchiveInThread(
  deps: Deps,
  companyId: number,
  zip: Uint8Array,
  keep: boolean,
): Promise<ReadArchive> {
  const trusted = await listTrustedKeys(deps)
  const bytes = copyForTransfer(zip)
  const options = { companyId, patient: true, moved: [bytes.buffer] }
  const read = await deps.compute('company-archives.read', { zip: bytes, trusted, keep }, options)
  if ('refused' in read) throw new CopyFault(read.refused)
  return read.archive
}

/** What an archive would bring, without writing anything. */
export async function previewImport(deps: Deps, companyId: number, zip: Uint8Array): Promise<ArchivePreview> {
  return addPlanRemark(deps, companyId, await readArchiveInThread(deps, companyId, zip, false))
}

/** An empty company uses no point yet: the archive alone says how many it would use. */
async function addPlanRemark({ db }: Deps, companyId: number, { preview, pointsInUse }: ReadArchive) {
  const limit = await loadPointsLimit(db, companyId)
  if (limit === null || pointsInUse <= limit) return preview
  const remark = `Cette archive demande ${formatFrenchNumber(pointsInUse)} points de mesure, votre formule en comprend ${formatFrenchNumber(limit)}\u00a0: elle sera refusée. Changez d’abord de formule dans «\u00a0Abonnement\u00a0».`
  return { ...preview, remarks: [remark, ...preview.remarks] }
}

/** Account numbers are sealed for this installation and this company. */
function sealRow(secrets: Secrets, table: string, companyId: number, row: ArchiveRow): ArchiveRow {
  const sealed = { ...row }
  for (const [name, column] of Object.entries(COMPANY_ARCHIVE[table]?.columns ?? {})) {
    const iban = row[name]
    if (!isSealedIban(column) || typeof iban !== 'string') continue
    sealed[name] = secrets.seal(iban, `${column.sealedFor} ${companyId} ${row.id}`)
    if (name !== 'iban') continue
    sealed.iban_end = iban.slice(-4)
    if (table !== 'participants' && table !== 'sellers') sealed.iban_print = secrets.print(iban, 'iban')
  }
  return sealed
}

/** Columns that the import itself fills beside those that the archive brings. */
const COMPUTED_COLUMNS: Record<string, string[]> = {
  participants: ['iban_end'],
  sellers: ['iban_end'],
  bank_accounts: ['iban_end', 'iban_print'],
  mandates: ['iban_end', 'iban_print'],
  files: ['media_type'],
}

const DATABASE_FAULT_MESSAGES: Record<string, string> = {
  '23505': 'deux lignes portent le même identifiant',
  '23503': 'une ligne fait référence à un élément absent de l’archive',
  '23514': 'une ligne ne respecte pas une règle de la base',
}
function toCopyFault(table: string, error: unknown): unknown {
  const why = getErrorCauses(error)
    .map((cause) => DATABASE_FAULT_MESSAGES[getSystemErrorCode(cause) ?? ''])
    .find((sentence) => sentence !== undefined)
  const label = COMPANY_ARCHIVE[table]?.label ?? table
  return why ? new CopyFault(`${label}\u00a0: ${why}. Rien n’a été repris.`, { cause: error }) : error
}

async function insertRows(tx: Db, companyId: number, table: string, columns: string[], json: string): Promise<number> {
  const listed = columns.map(quoteIdentifier).join()
  try {
    const { rowCount } = await tx.$client.query(
      `insert into ${quoteIdentifier(table)} (company_id, ${listed})
       select $2::int, ${listed} from jsonb_populate_recordset(null::${quoteIdentifier(table)}, $1::jsonb)`,
      [json, companyId],
    )
    return rowCount ?? 0
  } catch (error) {
    throw toCopyFault(table, error)
  }
}

const prepareRow = (secrets: Secrets, table: string, companyId: number, row: ArchiveRow): ArchiveRow => {
  if (table !== 'files') return { iban_end: '', iban_print: '', ...sealRow(secrets, table, companyId, row) }
  const name = sanitizeFileName(String(row.name)) || 'fichier'
  return { ...row, name, media_type: getMediaType(name) }
}

async function insertTable(tx: Db, secrets: Secrets, companyId: number, { table, columns, batches }: TableBatches) {
  const filled = COMPUTED_COLUMNS[table]
  let count = 0
  for (const batch of batches) {
    const text = Buffer.from(batch.buffer).toString()
    const json = filled
      ? JSON.stringify((JSON.parse(text) as ArchiveRow[]).map((row) => prepareRow(secrets, table, companyId, row))) // written by the task
      : text
    count += await insertRows(tx, companyId, table, [...columns, ...(filled ?? [])], json)
  }
  return count
}

const PAST_COLUMNS =
  'id operation_id seller_id buyer_id number kind issued_on due_on month wh net tax gross open payment_id created_by'
const DOCUMENTS_PER_BATCH = 500

/** What is left of a document opens its account, as when documents are taken over from a file. */
async function openAccount(tx: Db, companyId: number, document: ImportedDocument): Promise<string | null> {
  if (document.open === 0) return null
  const isInvoice = document.kind === 'invoice'
  const posting = {
    sellerId: document.seller_id,
    buyerId: document.buyer_id,
    clientSellerId: null,
    kind: isInvoice ? ('openingDebit' as const) : ('openingCredit' as const),
    amount: document.open,
    method: 'none' as const,
    bookedOn: isInvoice ? document.due_on : getToday(),
    accountId: null,
    source: `takeover:${document.seller_id}:${document.number}`,
    note: isInvoice ? `Facture ${document.number} reprise` : `Avoir ${document.number} repris`,
  }
  return (await postPayment(tx, companyId, posting, IMPORT_AUTHOR)).id
}

async function importAccounts(tx: Db, companyId: number, { documents, balances }: ImportedAccounts): Promise<number> {
  for (let at = 0; at < documents.length; at += DOCUMENTS_PER_BATCH) {
    const rows: ArchiveRow[] = []
    for (const document of documents.slice(at, at + DOCUMENTS_PER_BATCH)) {
      const payment_id = await openAccount(tx, companyId, document)
      rows.push({ ...document, id: crypto.randomUUID(), payment_id, created_by: IMPORT_AUTHOR })
    }
    await insertRows(tx, companyId, 'past_documents', PAST_COLUMNS.split(' '), JSON.stringify(rows))
  }
  for (const { id, seller_id: sellerId, buyer_id: buyerId, kind, amount } of balances) {
    const pair = { sellerId, buyerId, clientSellerId: null, accountId: null }
    const source = `takeover:${sellerId}:${id}`
    const posting = {
      ...pair,
      kind,
      amount,
      method: 'none' as const,
      bookedOn: getToday(),
      source,
      note: 'Report de solde (à nouveau)',
    }
    await postPayment(tx, companyId, posting, IMPORT_AUTHOR)
  }
  return documents.length + balances.length
}

const MONTHS_QUERY = `select distinct point_id as "pointId", date_trunc('month', day)::date::text as month
  from curve_days where company_id = $1 order by 1, 2`

/** An archive takes no more places than the plan has, as if each had been entered by hand. */
async function requireImportedPointsWithinPlan(tx: Db, companyId: number): Promise<void> {
  const own = eq(participations.companyId, companyId)
  const rows = await tx.select({ id: participations.id }).from(participations).where(own)
  await requirePointsWithinPlan(
    tx,
    companyId,
    rows.map(({ id }) => id),
  )
}

/** What the caller records of it, in the transaction that writes: killed in between, it is both or neither. */
type RecordImport = (tx: Db, done: CopyTotals) => Promise<unknown>

/** Of one company, one import is written or ended at a time. */
export const lockImport = (tx: Db, companyId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`company import ${companyId}`}, 0))`)

/** Written for this company alone: the database refuses a row of another one. */
async function writeArchive(
  deps: Deps,
  companyId: number,
  { tables, files, accounts }: ReadArchive,
  finish: RecordImport,
) {
  return transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    await lockImport(tx, companyId)
    if (!(await isEmptyCompany(tx, companyId))) throw new CopyFault(COMPANY_NOT_EMPTY)
    let rows = 0
    for (const table of tables) rows += await insertTable(tx, deps.secrets, companyId, table)
    await requireImportedPointsWithinPlan(tx, companyId)
    const { rows: months } = await tx.$client.query<{ pointId: string; month: string }>(MONTHS_QUERY, [companyId])
    await recomputeCurveMonths(tx, companyId, months)
    rows += await importAccounts(tx, companyId, accounts)
    await markAllRollupsStale(tx, companyId)
    const done = { rows, files: files.length }
    await finish(tx, done)
    return done
  })
}

/** Contents stand in the store before the rows that name them. */
async function storeContents(deps: Deps, companyId: number, files: FileContent[]): Promise<void> {
  for (const { sha256, content } of files) {
    const key = getFileKey({ companyId, sha256 })
    await transaction(deps.db, async (tx) => {
      await lockFileContent(tx, key)
      await deps.files.put(key, content, 'application/octet-stream')
    })
  }
}

/**
 * The copy of a company taken up by an empty one: every row that its contract lets in, or none. Contents that were stored
 * before it failed or was killed are left to whoever ends the import.
 */
export async function importCompany(
  deps: Deps,
  companyId: number,
  zip: Uint8Array,
  finish: RecordImport = async () => {},
  requireConfirmed: (preview: ArchivePreview) => void = () => {},
): Promise<CopyTotals> {
  const archive = await readArchiveInThread(deps, companyId, zip, true)
  requireConfirmed(await addPlanRemark(deps, companyId, archive))
  const tableBytes = archive.tables.flatMap(({ batches }) => batches).reduce((sum, { length }) => sum + length, 0)
  await requireSpaceForImport(deps, archive.preview.fileBytes + TABLE_GROWTH * tableBytes)
  await storeContents(deps, companyId, archive.files)
  return writeArchive(deps, companyId, archive, finish)
}

type Row = typeof trustedInstallations.$inferSelect
const toTrustedInstallation = ({ createdAt, ...row }: Row): TrustedInstallation => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

export async function listTrustedInstallations({ db, secrets }: Pick<Deps, 'db' | 'secrets'>) {
  const rows = await db.select().from(trustedInstallations).orderBy(asc(trustedInstallations.name))
  return { publicKey: getOwnPublicKeys(secrets)[0] ?? '', items: rows.map(toTrustedInstallation) }
}

/** Whose archives are believed: this installation's own, and those that the owner of the site entered. */
async function listTrustedKeys({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<TrustedKey[]> {
  const own = getOwnPublicKeys(secrets).map((publicKey) => ({ name: 'cette installation', publicKey }))
  const { items } = await listTrustedInstallations({ db, secrets })
  return [...own, ...items.map(({ name, publicKey }) => ({ name, publicKey }))]
}

type NewTrustedInstallation = Pick<Row, 'name' | 'publicKey' | 'addedBy'>
export async function addTrustedInstallation(tx: Db, deps: Pick<Deps, 'secrets'>, values: NewTrustedInstallation) {
  if (getOwnPublicKeys(deps.secrets).includes(values.publicKey))
    throw fieldError('publicKey', 'C’est la clé de cette installation\u00a0: elle est déjà de confiance.')
  try {
    const [row] = await tx.insert(trustedInstallations).values(values).returning()
    if (row) return toTrustedInstallation(row)
  } catch (error) {
    if (isDatabaseRefusal(error, 'twin')) throw fieldError('publicKey', 'Cette clé est déjà dans la liste.', 'conflict')
    throw error
  }
  throw new AppError('internal')
}

export async function removeTrustedInstallation(tx: Db, id: string): Promise<string> {
  const [row] = await tx.delete(trustedInstallations).where(eq(trustedInstallations.id, id)).returning()
  if (!row) throw new AppError('not-found')
  return row.name
}
