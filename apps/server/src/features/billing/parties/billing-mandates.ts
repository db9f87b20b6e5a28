import type { BillingMandateDraft, BillingMandateUpdate } from '@voisol/contract/sellers'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { arePeriodsOverlapping } from '@voisol/money/days'
import { and, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { getFileKey, getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { billingMandates, files, invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { lockSeller } from './change-seller.ts'
import { findFirstIssuedDocument, loadSeller } from './list-sellers.ts'

type MandateFileRef = Pick<typeof billingMandates.$inferSelect, 'companyId' | 'id' | 'fileId'>

/** The first bytes of a signed document, by media type. */
const FILE_SIGNATURES: Record<string, string> = {
  'application/pdf': '25504446',
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
}

export function requireSignedFileType(name: string, content: Uint8Array): string {
  const mediaType = getMediaType(name)
  const signature = FILE_SIGNATURES[mediaType]
  if (!signature)
    throw fieldError('file', 'Un mandat signé est un PDF ou une image (PNG, JPEG), par exemple mandat-signe.pdf.')
  if (!Buffer.from(content.subarray(0, 4)).toString('hex').startsWith(signature))
    throw fieldError('file', `Le contenu de «\u00a0${name}\u00a0» n’est pas celui que son nom annonce.`)
  return mediaType
}

async function saveMandateFile(
  tx: Db,
  store: FileStore,
  mandate: MandateFileRef,
  upload: { name: string; content: Uint8Array },
) {
  const name = sanitizeFileName(upload.name)
  const mediaType = requireSignedFileType(name, upload.content)
  const file = await storeFile(tx, store, mandate.companyId, { name, mediaType, content: upload.content })
  await tx
    .update(billingMandates)
    .set({ fileId: file.id, version: sql`${billingMandates.version} + 1` })
    .where(and(eq(billingMandates.companyId, mandate.companyId), eq(billingMandates.id, mandate.id)))
  await deleteMandateFile(tx, mandate)
  return file
}

/** Deletes a file that no mandate refers to any more. */
async function deleteMandateFile(tx: Db, { companyId, fileId }: MandateFileRef) {
  if (fileId === null) return
  const [gone] = await tx
    .delete(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
    .returning()
  if (gone) await enqueue(tx, 'documents.erase', { companyId, sha256: gone.sha256 })
}

export async function loadMandateFile(db: Db, store: FileStore, { companyId }: Actor, id: string) {
  const [row] = await db
    .select({ file: files })
    .from(billingMandates)
    .innerJoin(files, and(eq(files.companyId, billingMandates.companyId), eq(files.id, billingMandates.fileId)))
    .where(and(eq(billingMandates.companyId, companyId), eq(billingMandates.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(getFileKey(row.file))
  if (!content) throw new Error(`file store: ${getFileKey(row.file)} is recorded but not there`)
  return { name: row.file.name, type: row.file.mediaType, content }
}

type MandateDates = z.output<typeof BillingMandateDraft>
type Row = typeof billingMandates.$inferSelect

/** A mandate of the company, with its seller locked until the transaction ends so that two cannot overlap. */
async function lockBillingMandate(tx: Db, actor: Actor, id: string): Promise<Row> {
  const where = and(eq(billingMandates.companyId, actor.companyId), eq(billingMandates.id, id))
  const [found] = await tx.select().from(billingMandates).where(where)
  if (!found) throw new AppError('not-found')
  await lockSeller(tx, actor, found.sellerId)
  const [row] = await tx.select().from(billingMandates).where(where)
  if (!row) throw new AppError('not-found')
  return row
}

const formatPeriod = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
  endsOn === null
    ? `depuis le ${formatFrenchDay(startsOn)}`
    : `du ${formatFrenchDay(startsOn)} au ${formatFrenchDay(endsOn)}`
const toDateRange = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) => ({
  from: startsOn,
  to: endsOn,
})

async function requireValidDates(
  tx: Db,
  { companyId }: Actor,
  sellerId: string,
  dates: MandateDates,
  exceptId?: string,
) {
  if (dates.signedOn > getToday())
    throw fieldError('signedOn', 'La signature du mandat ne peut pas être dans l’avenir.')
  if (dates.startsOn < dates.signedOn)
    throw fieldError(
      'startsOn',
      `Un mandat vaut au plus tôt le jour de sa signature, le ${formatFrenchDay(dates.signedOn)}.`,
    )
  const others = await tx
    .select()
    .from(billingMandates)
    .where(and(eq(billingMandates.companyId, companyId), eq(billingMandates.sellerId, sellerId)))
  const other = others.find((row) => row.id !== exceptId && arePeriodsOverlapping(toDateRange(row), toDateRange(dates)))
  if (other)
    throw fieldError(
      'startsOn',
      `Un autre mandat vaut déjà ${formatPeriod(other)}\u00a0: un seul à la fois.`,
      'conflict',
    )
}

export async function addBillingMandate(tx: Db, actor: Actor, sellerId: string, dates: MandateDates) {
  await lockSeller(tx, actor, sellerId)
  await requireValidDates(tx, actor, sellerId, dates)
  await tx
    .insert(billingMandates)
    .values({ ...dates, collects: dates.collects ?? false, companyId: actor.companyId, sellerId })
  return loadSeller(tx, actor, sellerId)
}

type Dates = { startsOn: string; endsOn: string | null }

/** Issued within the first dates and, when others are given, outside those. */
const issuedInPeriodSql = ({ startsOn, endsOn }: Dates, except?: Dates): SQL | undefined =>
  and(
    gte(invoices.issuedOn, startsOn),
    endsOn === null ? undefined : lt(invoices.issuedOn, endsOn),
    except &&
      or(
        lt(invoices.issuedOn, except.startsOn),
        except.endsOn === null ? undefined : gte(invoices.issuedOn, except.endsOn),
      ),
  )

/** A change of dates must keep the documents issued under the mandate within it. */
export async function updateBillingMandate(
  tx: Db,
  actor: Actor,
  id: string,
  input: z.output<typeof BillingMandateUpdate>,
) {
  const row = await lockBillingMandate(tx, actor, id)
  requireCurrentVersion(row, input)
  const { version: _, ...dates } = input
  await requireValidDates(tx, actor, row.sellerId, dates, id)
  const issued = await findFirstIssuedDocument(tx, actor.companyId, row.sellerId, issuedInPeriodSql(row, dates))
  if (issued)
    throw fieldError(
      issued.issuedOn < dates.startsOn ? 'startsOn' : 'endsOn',
      `${issued.number} a été émise le ${formatFrenchDay(issued.issuedOn)} sous ce mandat\u00a0: il couvre ce jour.`,
      'conflict',
    )
  await tx
    .update(billingMandates)
    .set({ ...dates, collects: dates.collects ?? row.collects, version: sql`${billingMandates.version} + 1` })
    .where(and(eq(billingMandates.companyId, actor.companyId), eq(billingMandates.id, id)))
  return { before: row, after: await loadSeller(tx, actor, row.sellerId) }
}

export async function removeBillingMandate(tx: Db, actor: Actor, id: string) {
  const row = await lockBillingMandate(tx, actor, id)
  const issued = await findFirstIssuedDocument(tx, actor.companyId, row.sellerId, issuedInPeriodSql(row))
  if (issued)
    throw new AppError('conflict', {
      message: `${issued.number} a été émise sous ce mandat\u00a0: mettez-y fin, il est conservé.`,
    })
  await tx
    .delete(billingMandates)
    .where(and(eq(billingMandates.companyId, actor.companyId), eq(billingMandates.id, id)))
  await deleteMandateFile(tx, row)
  return { before: row, after: await loadSeller(tx, actor, row.sellerId) }
}

/** Stores the signed document; one with invoices issued under it cannot be replaced. */
export async function saveSignedMandate(
  tx: Db,
  store: FileStore,
  actor: Actor,
  id: string,
  upload: { name: string; content: Uint8Array },
) {
  const row = await lockBillingMandate(tx, actor, id)
  const issued =
    row.fileId && (await findFirstIssuedDocument(tx, actor.companyId, row.sellerId, issuedInPeriodSql(row)))
  if (issued)
    throw new AppError('conflict', {
      message: `${issued.number} a été émise sous ce mandat\u00a0: le fichier signé reste celui qui est là.`,
    })
  const file = await saveMandateFile(tx, store, row, upload)
  return { file, after: await loadSeller(tx, actor, row.sellerId) }
}
