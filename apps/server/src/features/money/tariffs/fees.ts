import type { TariffFee, TariffFeeDraft, TariffFeeUpdate } from '@voisol/contract/tariff-terms'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, sellers, tariffFees } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { loadClosedMonthPeriods } from './closed.ts'
import { requireKnownReferences } from './known.ts'
import { feeScope, lockOperationForPrices } from './scope.ts'
import { isCountedInClosedMonth, requireChangeable, requireOutsideClosedMonths, requireRemovable } from './used.ts'

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
