import type {
  TariffDiscount,
  TariffDiscountDraft,
  TariffDiscountUpdate,
  TariffFee,
  TariffFeeDraft,
  TariffFeeUpdate,
} from '@voisol/contract/tariff-terms'
import { and, asc, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, participants, sellers, tariffDiscounts, tariffFees } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import {
  isCountedInClosedMonth,
  loadClosedMonthPeriods,
  requireChangeable,
  requireOutsideClosedMonths,
  requireRemovable,
} from './closed-months.ts'
import { discountScope, feeScope, lockOperationForPrices } from './operation-prices.ts'

const REFERENCED_TABLES = { sellerId: sellers, groupId: buyerGroups, participantId: participants }
const UNKNOWN_REFERENCE_MESSAGES = {
  sellerId: 'Ce vendeur n’existe pas dans votre organisation\u00a0: choisissez-en un de la liste.',
  groupId: 'Ce groupe n’existe pas dans votre organisation\u00a0: choisissez-en un de la liste.',
  participantId: 'Cet acheteur n’existe pas dans votre organisation\u00a0: choisissez-en un de la liste.',
}
type ReferenceField = keyof typeof REFERENCED_TABLES
type NamedReferences = Partial<Record<ReferenceField, string | null>>

/** Whatever fees and discounts refer to must belong to the company. */
async function requireKnownReferences(db: Db, companyId: number, references: NamedReferences): Promise<void> {
  const issues: { path: string; message: string }[] = []
  for (const field of ['sellerId', 'groupId', 'participantId'] as const) {
    const id = references[field]
    if (!id) continue
    const table = REFERENCED_TABLES[field]
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.companyId, companyId), eq(table.id, id)))
    if (!rows.length) issues.push({ path: field, message: UNKNOWN_REFERENCE_MESSAGES[field] })
  }
  if (issues.length) throw new AppError('invalid', { message: issues[0]?.message ?? '', issues })
}

const selectFees = (db: Db) =>
  db
    .select({ fee: tariffFees, seller: sellers.name, group: buyerGroups.name })
    .from(tariffFees)
    .innerJoin(sellers, and(eq(sellers.companyId, tariffFees.companyId), eq(sellers.id, tariffFees.sellerId)))
    .leftJoin(buyerGroups, and(eq(buyerGroups.companyId, tariffFees.companyId), eq(buyerGroups.id, tariffFees.groupId)))

/** Fees, oldest start first. */
export async function listFees(db: Db, actor: Actor, operationId: string): Promise<{ items: TariffFee[] }> {
  await requireVisibleOperation(db, actor, operationId)
  const closed = await loadClosedMonthPeriods(db, actor.companyId, operationId)
  const rows = await selectFees(db)
    .where(and(feeScope(actor), eq(tariffFees.operationId, operationId)))
    .orderBy(asc(tariffFees.startsOn), asc(tariffFees.createdAt), asc(tariffFees.id))
  return {
    items: rows.map(({ fee: { companyId: _, createdAt: _at, ...fee }, seller, group }) => ({
      ...fee,
      // The column only stores these values.
      every: fee.every as TariffFee['every'],
      seller,
      group: group ?? '',
      used: isCountedInClosedMonth(closed, fee),
    })),
  }
}

export async function loadFee(db: Db, actor: Actor, id: string): Promise<TariffFee> {
  const { operationId } = await loadFeeRow(db, actor, id)
  const fee = (await listFees(db, actor, operationId)).items.find((each) => each.id === id)
  if (!fee) throw new AppError('not-found')
  return fee
}

async function loadFeeRow(db: Db, actor: Actor, id: string) {
  const [row] = await db
    .select()
    .from(tariffFees)
    .where(and(feeScope(actor), eq(tariffFees.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

/** Locks the operation until the transaction ends, so that no month is closed meanwhile. */
async function lockFee(tx: Db, actor: Actor, id: string) {
  const { operationId } = await loadFeeRow(tx, actor, id)
  await lockOperationForPrices(tx, actor, operationId)
  return {
    fee: await loadFeeRow(tx, actor, id),
    closed: await loadClosedMonthPeriods(tx, actor.companyId, operationId),
  }
}

export async function createFee(tx: Db, actor: Actor, operationId: string, input: z.output<typeof TariffFeeDraft>) {
  const { companyId } = actor
  await lockOperationForPrices(tx, actor, operationId)
  await requireKnownReferences(tx, companyId, input)
  requireOutsideClosedMonths(await loadClosedMonthPeriods(tx, companyId, operationId), input)
  const [row] = await tx
    .insert(tariffFees)
    .values({ ...input, companyId, operationId })
    .returning({ id: tariffFees.id })
  if (!row) throw new Error('the fee was not created')
  return row.id
}

export async function updateFee(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffFeeUpdate>) {
  const { fee: before, closed } = await lockFee(tx, actor, id)
  requireCurrentVersion(before, input)
  requireChangeable(closed, before, input)
  await requireKnownReferences(tx, actor.companyId, input)
  await tx
    .update(tariffFees)
    .set({ ...input, version: sql`${tariffFees.version} + 1` })
    .where(and(feeScope(actor), eq(tariffFees.id, id)))
  return before
}

export async function removeFee(tx: Db, actor: Actor, id: string) {
  const { fee, closed } = await lockFee(tx, actor, id)
  requireRemovable(closed, fee)
  await tx.delete(tariffFees).where(and(feeScope(actor), eq(tariffFees.id, id)))
  return fee
}

/** Discounts, in the order they apply. */
export async function listDiscounts(db: Db, actor: Actor, operationId: string): Promise<{ items: TariffDiscount[] }> {
  await requireVisibleOperation(db, actor, operationId)
  const closed = await loadClosedMonthPeriods(db, actor.companyId, operationId)
  const { companyId, sellerId, participantId, position, id } = tariffDiscounts
  const rows = await db
    .select({ discount: tariffDiscounts, seller: sellers.name, participant: participants.name })
    .from(tariffDiscounts)
    .leftJoin(sellers, and(eq(sellers.companyId, companyId), eq(sellers.id, sellerId)))
    .leftJoin(participants, and(eq(participants.companyId, companyId), eq(participants.id, participantId)))
    .where(and(discountScope(actor), eq(tariffDiscounts.operationId, operationId)))
    .orderBy(asc(position), asc(id))
  return {
    items: rows.map(({ discount: { companyId: _, createdAt: _at, ...discount }, seller, participant }) => ({
      ...discount,
      seller: seller ?? '',
      participant: participant ?? '',
      used: isCountedInClosedMonth(closed, discount),
    })),
  }
}

async function loadDiscountRow(db: Db, actor: Actor, id: string) {
  const [row] = await db
    .select()
    .from(tariffDiscounts)
    .where(and(discountScope(actor), eq(tariffDiscounts.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function loadDiscount(db: Db, actor: Actor, id: string): Promise<TariffDiscount> {
  const { operationId } = await loadDiscountRow(db, actor, id)
  const discount = (await listDiscounts(db, actor, operationId)).items.find((each) => each.id === id)
  if (!discount) throw new AppError('not-found')
  return discount
}

/** Locks the operation until the transaction ends, so that no month is closed meanwhile. */
async function lockDiscount(tx: Db, actor: Actor, id: string) {
  const { operationId } = await loadDiscountRow(tx, actor, id)
  await lockOperationForPrices(tx, actor, operationId)
  return {
    discount: await loadDiscountRow(tx, actor, id),
    closed: await loadClosedMonthPeriods(tx, actor.companyId, operationId),
  }
}

type CreateDiscountInput = z.output<typeof TariffDiscountDraft>

export async function createDiscount(tx: Db, actor: Actor, operationId: string, input: CreateDiscountInput) {
  const { companyId } = actor
  await lockOperationForPrices(tx, actor, operationId)
  await requireKnownReferences(tx, companyId, input)
  requireOutsideClosedMonths(await loadClosedMonthPeriods(tx, companyId, operationId), input)
  const [last] = await tx
    .select({ position: max(tariffDiscounts.position) })
    .from(tariffDiscounts)
    .where(and(eq(tariffDiscounts.companyId, companyId), eq(tariffDiscounts.operationId, operationId)))
  const [row] = await tx
    .insert(tariffDiscounts)
    .values({ ...input, companyId, operationId, position: (last?.position ?? 0) + 1 })
    .returning({ id: tariffDiscounts.id })
  if (!row) throw new Error('the discount was not created')
  return row.id
}

const updateDiscountColumns = (
  tx: Db,
  actor: Actor,
  id: string,
  values: Partial<typeof tariffDiscounts.$inferInsert>,
) =>
  tx
    .update(tariffDiscounts)
    .set({ ...values, version: sql`${tariffDiscounts.version} + 1` })
    .where(and(discountScope(actor), eq(tariffDiscounts.id, id)))

export async function updateDiscount(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffDiscountUpdate>) {
  const { discount: before, closed } = await lockDiscount(tx, actor, id)
  requireCurrentVersion(before, input)
  requireChangeable(closed, before, input)
  await requireKnownReferences(tx, actor.companyId, input)
  await updateDiscountColumns(tx, actor, id, input)
  return before
}

/** Requires every discount exactly once: an incomplete order would be ambiguous. */
export async function reorderDiscounts(tx: Db, actor: Actor, operationId: string, ids: string[]) {
  await lockOperationForPrices(tx, actor, operationId)
  const { items } = await listDiscounts(tx, actor, operationId)
  const known = new Set(items.map(({ id }) => id))
  if (ids.length !== known.size || new Set(ids).size !== ids.length || ids.some((id) => !known.has(id)))
    throw fieldError('ids', 'Les remises de l’opération ont changé entre-temps\u00a0: rechargez la liste.')
  const moved = ids.map((id, at) => ({ id, position: at + 1 }))
  for (const { id, position } of moved.filter(({ id, position }) => items[position - 1]?.id !== id))
    await updateDiscountColumns(tx, actor, id, { position })
}

export async function removeDiscount(tx: Db, actor: Actor, id: string) {
  const { discount, closed } = await lockDiscount(tx, actor, id)
  requireRemovable(closed, discount)
  await tx.delete(tariffDiscounts).where(and(discountScope(actor), eq(tariffDiscounts.id, id)))
  return discount
}
