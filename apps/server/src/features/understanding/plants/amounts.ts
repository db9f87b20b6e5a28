import type { AmountDraft, AmountUpdate, PlantAmount } from '@voisol/contract/plants'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { isHeldBy } from '../../../core/held.ts'
import { withinLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, plantAmounts, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'

type Draft = z.output<typeof AmountDraft>
type Row = typeof plantAmounts.$inferSelect

/** Of plants of the company that take part, or took part, in an operation within the actor's limit; in the portal, of one's own. */
const amountScope = (actor: Actor) =>
  and(
    eq(plantAmounts.companyId, actor.companyId),
    sql`exists (select 1 from ${participations} join ${participants}
        on ${participants.companyId} = ${participations.companyId} and ${participants.id} = ${participations.participantId}
      where ${participations.companyId} = ${plantAmounts.companyId} and ${participations.pointId} = ${plantAmounts.pointId}
        and ${reach(actor)})`,
  )

const reach = (actor: Actor) =>
  actor.space === 'office' ? (withinLimit(actor, participations.operationId) ?? sql`true`) : isHeldBy(actor)

// The columns hold only values of the contract.
export const toAmount = ({ companyId: _, createdAt: _made, ...row }: Row): PlantAmount => row as PlantAmount

export const listAmounts = async (db: Db, actor: Actor): Promise<PlantAmount[]> => {
  const rows = await db
    .select()
    .from(plantAmounts)
    .where(amountScope(actor))
    .orderBy(asc(plantAmounts.startsOn), asc(plantAmounts.id))
  return rows.map(toAmount)
}

async function requirePlant(tx: Db, actor: Actor, pointId: string): Promise<void> {
  const rows = await tx
    .select({ id: points.id })
    .from(points)
    .innerJoin(
      participations,
      and(eq(participations.companyId, points.companyId), eq(participations.pointId, points.id)),
    )
    .where(
      and(
        eq(points.companyId, actor.companyId),
        eq(points.id, pointId),
        eq(points.direction, 'production'),
        eq(points.storage, false),
        withinLimit(actor, participations.operationId),
      ),
    )
    .limit(1)
  if (!rows.length) throw new AppError('not-found')
}

type Change = 'plant.amount-added' | 'plant.amount-changed' | 'plant.amount-removed'
function tell(tx: Db, { companyId }: Actor, name: Change, { id, label: _, version: _version, ...about }: PlantAmount) {
  return record(tx, { companyId, name, object: id, data: { amountId: id, ...about } })
}

function requireDays({ startsOn, endsOn }: Draft): void {
  if (endsOn !== null && endsOn <= startsOn) throw fieldError('endsOn', 'La fin doit venir après le premier jour.')
}

export async function addAmount(tx: Db, actor: Actor, pointId: string, draft: Draft): Promise<PlantAmount> {
  await requirePlant(tx, actor, pointId)
  requireDays(draft)
  const [row] = await tx
    .insert(plantAmounts)
    .values({ companyId: actor.companyId, pointId, ...draft })
    .returning()
  if (!row) throw new AppError('not-found')
  const amount = toAmount(row)
  await tell(tx, actor, 'plant.amount-added', amount)
  return amount
}

async function lockAmount(tx: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await tx
    .select()
    .from(plantAmounts)
    .where(and(amountScope(actor), eq(plantAmounts.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const one = ({ companyId }: Actor, id: string) => and(eq(plantAmounts.companyId, companyId), eq(plantAmounts.id, id))

export async function updateAmount(tx: Db, actor: Actor, id: string, input: z.output<typeof AmountUpdate>) {
  const before = await lockAmount(tx, actor, id)
  const { version, ...draft } = input
  requireVersion(before, input)
  requireDays(draft)
  const [row] = await tx
    .update(plantAmounts)
    .set({ ...draft, version: version + 1 })
    .where(one(actor, id))
    .returning()
  if (!row) throw new AppError('not-found')
  const after = toAmount(row)
  await tell(tx, actor, 'plant.amount-changed', after)
  return { before: toAmount(before), after }
}

export async function removeAmount(tx: Db, actor: Actor, id: string): Promise<PlantAmount> {
  const amount = toAmount(await lockAmount(tx, actor, id))
  await tx.delete(plantAmounts).where(one(actor, id))
  await tell(tx, actor, 'plant.amount-removed', amount)
  return amount
}
