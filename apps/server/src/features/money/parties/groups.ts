import type { BuyerGroup, GroupUpdate, NewBuyerGroup } from '@voisol/contract/buyers'
import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/lock-company.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, buyers, tariffFees, tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

const whereGroup = ({ companyId }: Actor, id: string) =>
  and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.id, id))

export function listBuyerGroups(db: Db, { companyId }: Actor): Promise<BuyerGroup[]> {
  return db
    .select({
      id: buyerGroups.id,
      name: buyerGroups.name,
      note: buyerGroups.note,
      members: count(buyers.participantId),
      version: buyerGroups.version,
    })
    .from(buyerGroups)
    .leftJoin(buyers, and(eq(buyers.companyId, buyerGroups.companyId), eq(buyers.groupId, buyerGroups.id)))
    .where(eq(buyerGroups.companyId, companyId))
    .groupBy(buyerGroups.companyId, buyerGroups.id)
    .orderBy(asc(sql`fold(${buyerGroups.name})`))
}

async function loadBuyerGroup(db: Db, actor: Actor, id: string): Promise<BuyerGroup> {
  const group = (await listBuyerGroups(db, actor)).find((row) => row.id === id)
  if (!group) throw new AppError('not-found')
  return group
}

async function requireFreeName(tx: Db, { companyId }: Actor, name: string, exceptId?: string) {
  const [same] = await tx
    .select({ id: buyerGroups.id })
    .from(buyerGroups)
    .where(
      and(
        eq(buyerGroups.companyId, companyId),
        sql`fold(${buyerGroups.name}) = fold(${name})`,
        exceptId ? ne(buyerGroups.id, exceptId) : undefined,
      ),
    )
  if (same) throw fieldError('name', `Un groupe se nomme déjà «\u00a0${name}\u00a0».`, 'conflict')
}

export async function addBuyerGroup(tx: Db, actor: Actor, input: z.output<typeof NewBuyerGroup>): Promise<BuyerGroup> {
  await lockCompany(tx, actor.companyId)
  await requireFreeName(tx, actor, input.name)
  const [row] = await tx
    .insert(buyerGroups)
    .values({ ...input, companyId: actor.companyId })
    .returning({ id: buyerGroups.id })
  return loadBuyerGroup(tx, actor, row?.id ?? '')
}

export async function updateBuyerGroup(tx: Db, actor: Actor, id: string, input: z.output<typeof GroupUpdate>) {
  await lockCompany(tx, actor.companyId)
  const before = await loadBuyerGroup(tx, actor, id)
  requireCurrentVersion(before, input)
  await requireFreeName(tx, actor, input.name, id)
  await tx
    .update(buyerGroups)
    .set({ ...input, version: before.version + 1 })
    .where(whereGroup(actor, id))
  return { before, after: await loadBuyerGroup(tx, actor, id) }
}

/** Deleting a group that a price names would silently remove the price of its members. */
async function isGroupUsedByPrices(tx: Db, { companyId }: Actor, id: string): Promise<boolean> {
  const ofRules = await tx
    .select({ id: tariffs.id })
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), sql`${tariffs.rules} @> ${JSON.stringify([{ group: id }])}::jsonb`))
    .limit(1)
  const ofFees = await tx
    .select({ id: tariffFees.id })
    .from(tariffFees)
    .where(and(eq(tariffFees.companyId, companyId), eq(tariffFees.groupId, id)))
    .limit(1)
  return ofRules.length + ofFees.length > 0
}

export async function removeBuyerGroup(tx: Db, actor: Actor, id: string): Promise<BuyerGroup> {
  await lockCompany(tx, actor.companyId)
  const group = await loadBuyerGroup(tx, actor, id)
  const refuse = (why: string) =>
    new AppError('conflict', { message: `«\u00a0${group.name}\u00a0» ne peut pas être supprimé\u00a0: ${why}.` })
  if (group.members) throw refuse(`il compte encore ${group.members} ${group.members > 1 ? 'acheteurs' : 'acheteur'}`)
  if (await isGroupUsedByPrices(tx, actor, id)) throw refuse('un tarif ou des frais le nomment')
  await tx.delete(buyerGroups).where(whereGroup(actor, id))
  return group
}
