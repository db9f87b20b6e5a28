import type { TariffFee, TariffFeeDraft, TariffFeeUpdate } from '@voisol/contract/tariff-terms'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, sellers, tariffFees } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { closedMonths } from './closed.ts'
import { requireNamed } from './known.ts'
import { feeScope, lockOperation } from './scope.ts'
import { isUsed, requireChangeable, requireOpen, requireRemovable } from './used.ts'

const read = (db: Db) =>
  db
    .select({ fee: tariffFees, seller: sellers.name, group: buyerGroups.name })
    .from(tariffFees)
    .innerJoin(sellers, and(eq(sellers.companyId, tariffFees.companyId), eq(sellers.id, tariffFees.sellerId)))
    .leftJoin(buyerGroups, and(eq(buyerGroups.companyId, tariffFees.companyId), eq(buyerGroups.id, tariffFees.groupId)))

/** The first that began first. */
export async function listFees(db: Db, actor: Actor, operationId: string): Promise<{ items: TariffFee[] }> {
  await findOperation(db, actor, operationId)
  const closed = await closedMonths(db, actor.companyId, operationId)
  const rows = await read(db)
    .where(and(feeScope(actor), eq(tariffFees.operationId, operationId)))
    .orderBy(asc(tariffFees.startsOn), asc(tariffFees.createdAt), asc(tariffFees.id))
  return {
    items: rows.map(({ fee: { companyId: _, createdAt: _at, ...fee }, seller, group }) => ({
      ...fee,
      // The column holds only these.
      every: fee.every as TariffFee['every'],
      seller,
      group: group ?? '',
      used: isUsed(closed, fee),
    })),
  }
}

export async function getFee(db: Db, actor: Actor, id: string): Promise<TariffFee> {
  const { operationId } = await findFee(db, actor, id)
  const fee = (await listFees(db, actor, operationId)).items.find((each) => each.id === id)
  if (!fee) throw new AppError('not-found')
  return fee
}

async function findFee(db: Db, actor: Actor, id: string) {
  const [row] = await db
    .select()
    .from(tariffFees)
    .where(and(feeScope(actor), eq(tariffFees.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

/** With its operation, held until the transaction ends: no month is closed meanwhile. */
async function lockFee(tx: Db, actor: Actor, id: string) {
  const { operationId } = await findFee(tx, actor, id)
  await lockOperation(tx, actor, operationId)
  return { fee: await findFee(tx, actor, id), closed: await closedMonths(tx, actor.companyId, operationId) }
}

export async function createFee(tx: Db, actor: Actor, operationId: string, input: z.output<typeof TariffFeeDraft>) {
  const { companyId } = actor
  await lockOperation(tx, actor, operationId)
  await requireNamed(tx, companyId, input)
  requireOpen(await closedMonths(tx, companyId, operationId), input)
  const [row] = await tx
    .insert(tariffFees)
    .values({ ...input, companyId, operationId })
    .returning({ id: tariffFees.id })
  if (!row) throw new Error('the fee was not created')
  return row.id
}

export async function updateFee(tx: Db, actor: Actor, id: string, input: z.output<typeof TariffFeeUpdate>) {
  const { fee: before, closed } = await lockFee(tx, actor, id)
  requireVersion(before, input)
  requireChangeable(closed, before, input)
  await requireNamed(tx, actor.companyId, input)
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
