import type { BillingMandateDraft, BillingMandateUpdate } from '@voisol/contract/sellers'
import { arePeriodsOverlapping } from '@voisol/money/days'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { FileStore } from '../../../adapters/files/files.ts'
import type { Db } from '../../../db/client.ts'
import { billingMandates } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { deleteMandateFile, saveMandateFile } from './mandate-files.ts'
import { loadSeller } from './seller-view.ts'
import { lockSeller } from './seller-write.ts'
import { findFirstIssuedDocument, issuedInPeriodSql } from './used.ts'

type MandateDates = z.output<typeof BillingMandateDraft>
type Row = typeof billingMandates.$inferSelect

/** A mandate of the company, with its seller locked until the transaction ends so that two cannot overlap. */
export async function lockBillingMandate(tx: Db, actor: Actor, id: string): Promise<Row> {
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
