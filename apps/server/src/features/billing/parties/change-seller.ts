import type { NewSellerVat, Seller, SellerBank, SellerDraft, SellerUpdate } from '@voisol/contract/sellers'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { billingMandates, invoices, participants, sellers, sellerVat } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { compactIban, findIbanError } from '../../energy/participants/index.ts'
import { findFirstIssuedDocument, loadSeller } from './list-sellers.ts'
import type { SellerRow } from './load-parties.ts'

type AddSellerInput = z.output<typeof SellerDraft>
type UpdateSellerInput = z.output<typeof SellerUpdate>
type Row = typeof sellers.$inferSelect

const whereSeller = ({ companyId }: Actor, id: string) => and(eq(sellers.companyId, companyId), eq(sellers.id, id))

/** A seller of the company, locked until the transaction ends. */
export async function lockSeller(tx: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await tx.select().from(sellers).where(whereSeller(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

async function updateSellerColumns(tx: Db, actor: Actor, id: string, values: Partial<Row>) {
  await tx
    .update(sellers)
    .set({ ...values, version: sql`${sellers.version} + 1` })
    .where(whereSeller(actor, id))
}

async function requireFreePrefix(tx: Db, { companyId }: Actor, prefix: string, exceptId?: string) {
  const [taken] = await tx
    .select({ name: sellers.name })
    .from(sellers)
    .where(
      and(
        eq(sellers.companyId, companyId),
        eq(sellers.prefix, prefix),
        exceptId ? ne(sellers.id, exceptId) : undefined,
      ),
    )
  if (taken)
    throw fieldError(
      'prefix',
      `${prefix} commence déjà les numéros de «\u00a0${taken.name}\u00a0»\u00a0: chaque vendeur a le sien.`,
      'conflict',
    )
}

/** Only a participant with production points can become a seller. */
async function requireProducer(tx: Db, { companyId }: Actor, participantId: string) {
  const [who] = await tx
    .select({
      name: participants.name,
      produces: sql<boolean>`exists (select 1 from participations s
        join points t on t.company_id = s.company_id and t.id = s.point_id and t.direction = 'production'
       where s.company_id = ${companyId} and s.participant_id = participants.id)`,
      seller: sql<boolean>`exists (select 1 from sellers x
       where x.company_id = ${companyId} and x.participant_id = participants.id)`,
    })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, participantId)))
  if (!who) throw fieldError('participantId', 'Ce participant n’existe pas dans votre organisation.', 'not-found')
  if (who.seller) throw fieldError('participantId', `«\u00a0${who.name}\u00a0» est déjà un vendeur.`, 'conflict')
  if (!who.produces)
    throw fieldError('participantId', `«\u00a0${who.name}\u00a0» n’a aucun point de production\u00a0: rien à vendre.`)
}

export async function addSeller(tx: Db, actor: Actor, draft: AddSellerInput): Promise<Seller> {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  if (draft.participantId !== null) await requireProducer(tx, actor, draft.participantId)
  await requireFreePrefix(tx, actor, draft.prefix)
  const [row] = await tx
    .insert(sellers)
    .values({ ...draft, companyId })
    .returning({ id: sellers.id })
  if (!row) throw new AppError('conflict')
  return loadSeller(tx, actor, row.id)
}

/** A prefix cannot change once a document was issued: its numbers start with it. */
async function requireUnusedPrefix(tx: Db, actor: Actor, row: Row, prefix: string) {
  if (prefix === row.prefix) return
  const issued = await findFirstIssuedDocument(tx, actor.companyId, row.id)
  if (issued)
    throw fieldError(
      'prefix',
      `Le préfixe ne change plus\u00a0: ${issued.number} a été émise avec ${row.prefix}.`,
      'conflict',
    )
}

export async function updateSeller(tx: Db, actor: Actor, id: string, input: UpdateSellerInput) {
  await lockCompany(tx, actor.companyId)
  const row = await lockSeller(tx, actor, id)
  requireCurrentVersion(row, input)
  await requireUnusedPrefix(tx, actor, row, input.prefix)
  await requireFreePrefix(tx, actor, input.prefix, id)
  const before = await loadSeller(tx, actor, id)
  const { version: _, ...values } = input
  await updateSellerColumns(tx, actor, id, values)
  return { before, after: await loadSeller(tx, actor, id) }
}

/** Removes a seller without documents that no fee, discount or operation names; its mandates must be removed first. */
export async function removeSeller(tx: Db, actor: Actor, id: string): Promise<Row> {
  const { companyId } = actor
  const row = await lockSeller(tx, actor, id)
  const { rows } = await tx.execute<{ why: string }>(sql`
    select 'il a émis des documents' as why where exists (
      select 1 from invoice_series x where x.company_id = ${companyId} and x.seller_id = ${id})
    union all select 'un mandat de facturation est à son nom' where exists (
      select 1 from ${billingMandates} x where x.company_id = ${companyId} and x.seller_id = ${id})
    union all select 'des frais ou des remises le nomment' where exists (
      select 1 from tariff_fees x where x.company_id = ${companyId} and x.seller_id = ${id}
      union all select 1 from tariff_discounts x where x.company_id = ${companyId} and x.seller_id = ${id})
    union all select 'une opération le nomme comme organisateur' where exists (
      select 1 from operation_billing x where x.company_id = ${companyId} and x.organiser_id = ${id})`)
  if (rows.length)
    throw new AppError('conflict', {
      message: `«\u00a0${row.name}\u00a0» reste un vendeur\u00a0: ${rows.map(({ why }) => why).join(', ')}.`,
    })
  await tx.delete(sellerVat).where(and(eq(sellerVat.companyId, companyId), eq(sellerVat.sellerId, id)))
  await tx.delete(sellers).where(whereSeller(actor, id))
  return row
}

type SellerRef = Pick<SellerRow, 'companyId' | 'id'>
const getSealContext = ({ companyId, id }: SellerRef) => `seller iban ${companyId} ${id}`

/** Only for invoices and collecting money: no screen shows the full IBAN. */
export const decryptSellerIban = (secrets: Secrets, seller: SellerRef & Pick<SellerRow, 'iban'>) =>
  seller.iban === null ? null : secrets.open(seller.iban, getSealContext(seller))

function toIbanColumns(secrets: Secrets, seller: SellerRef, text: string | undefined) {
  if (text === undefined) return {}
  const iban = compactIban(text)
  if (iban === '') return { iban: null, ibanEnd: '' }
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return { iban: secrets.seal(iban, getSealContext(seller)), ibanEnd: iban.slice(-4) }
}

export async function saveSellerBank(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { iban, bic, version }: z.output<typeof SellerBank>,
) {
  const row = await lockSeller(tx, actor, id)
  requireCurrentVersion(row, { bic, version })
  await updateSellerColumns(tx, actor, id, { ...toIbanColumns(secrets, row, iban), bic })
  return { before: row, after: await loadSeller(tx, actor, id) }
}

type AddVatInput = z.output<typeof NewSellerVat>

/** A month takes the VAT mode of its last day, so a new mode must not begin before the end of an invoiced month. */
const findFirstBilledFrom = (tx: Db, { companyId }: Actor, sellerId: string, startsOn: string) =>
  findFirstIssuedDocument(tx, companyId, sellerId, and(ne(invoices.kind, 'statement'), gt(invoices.to, startsOn)))

async function loadLastVatMode(tx: Db, { companyId }: Actor, sellerId: string) {
  const [row] = await tx
    .select()
    .from(sellerVat)
    .where(and(eq(sellerVat.companyId, companyId), eq(sellerVat.sellerId, sellerId)))
    .orderBy(desc(sellerVat.startsOn))
    .limit(1)
  return row
}

export async function addVat(tx: Db, actor: Actor, sellerId: string, mode: AddVatInput) {
  const seller = await lockSeller(tx, actor, sellerId)
  const last = await loadLastVatMode(tx, actor, sellerId)
  if (last && last.startsOn >= mode.startsOn)
    throw fieldError(
      'startsOn',
      `Un régime est déjà enregistré au ${formatFrenchDay(last.startsOn)}\u00a0: le suivant commence après ce jour.`,
      'conflict',
    )
  const issued = await findFirstBilledFrom(tx, actor, sellerId, mode.startsOn)
  if (issued)
    throw fieldError(
      'startsOn',
      `${issued.number} facture déjà un mois qui finit le ${formatFrenchDay(mode.startsOn)} ou après\u00a0: un régime ne change pas ce qui est émis.`,
      'conflict',
    )
  const createdBy = `${actor.firstName} ${actor.lastName}`.trim() || actor.email
  await tx.insert(sellerVat).values({ ...mode, companyId: actor.companyId, sellerId: seller.id, createdBy })
  return loadSeller(tx, actor, sellerId)
}

export async function removeVat(tx: Db, actor: Actor, id: string) {
  const where = and(eq(sellerVat.companyId, actor.companyId), eq(sellerVat.id, id))
  const [found] = await tx.select().from(sellerVat).where(where)
  if (!found) throw new AppError('not-found')
  await lockSeller(tx, actor, found.sellerId)
  const last = await loadLastVatMode(tx, actor, found.sellerId)
  if (last?.id !== id)
    throw new AppError('conflict', { message: 'Un autre régime suit celui-ci\u00a0: retirez d’abord le dernier.' })
  const issued = await findFirstBilledFrom(tx, actor, found.sellerId, found.startsOn)
  if (issued)
    throw new AppError('conflict', { message: `${issued.number} a été émise sous ce régime\u00a0: il reste.` })
  await tx.delete(sellerVat).where(where)
  return { before: found, after: await loadSeller(tx, actor, found.sellerId) }
}
