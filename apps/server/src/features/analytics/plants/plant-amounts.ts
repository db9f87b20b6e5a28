import type { AmountDraft, AmountFrequency, AmountUpdate, PlantAmount } from '@voisol/contract/plants'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isParticipantOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { participants, participations, plantAmounts, points } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

type AmountInput = z.output<typeof AmountDraft>
type PlantAmountRow = typeof plantAmounts.$inferSelect

/** Amounts of plants in the operations the actor may read; in the portal, of one's own plants. */
const amountScope = (actor: Actor) =>
  and(
    eq(plantAmounts.companyId, actor.companyId),
    sql`exists (select 1 from ${participations} join ${participants}
        on ${participants.companyId} = ${participations.companyId} and ${participants.id} = ${participations.participantId}
      where ${participations.companyId} = ${plantAmounts.companyId} and ${participations.pointId} = ${plantAmounts.pointId}
        and ${isReadableParticipation(actor)})`,
  )

const isReadableParticipation = (actor: Actor) =>
  actor.space === 'office'
    ? (withinOperationLimit(actor, participations.operationId) ?? sql`true`)
    : isParticipantOfUser(actor)

// The columns only store values of the contract.
const toPlantAmount = ({ companyId: _, createdAt: _made, ...row }: PlantAmountRow): PlantAmount => row as PlantAmount

export const listPlantAmounts = async (db: Db, actor: Actor): Promise<PlantAmount[]> => {
  const rows = await db
    .select()
    .from(plantAmounts)
    .where(amountScope(actor))
    .orderBy(asc(plantAmounts.startsOn), asc(plantAmounts.id))
  return rows.map(toPlantAmount)
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
        withinOperationLimit(actor, participations.operationId),
      ),
    )
    .limit(1)
  if (!rows.length) throw new AppError('not-found')
}

type AmountEventName = 'plant.amount-added' | 'plant.amount-changed' | 'plant.amount-removed'
function recordAmountEvent(
  tx: Db,
  { companyId }: Actor,
  name: AmountEventName,
  { id, label: _, version: _version, ...about }: PlantAmount,
) {
  return recordEvent(tx, { companyId, name, object: id, data: { amountId: id, ...about } })
}

function requireValidDays({ startsOn, endsOn }: AmountInput): void {
  if (endsOn !== null && endsOn <= startsOn) throw fieldError('endsOn', 'La fin doit venir après le premier jour.')
}

export async function addPlantAmount(tx: Db, actor: Actor, pointId: string, draft: AmountInput): Promise<PlantAmount> {
  await requirePlant(tx, actor, pointId)
  requireValidDays(draft)
  const [row] = await tx
    .insert(plantAmounts)
    .values({ companyId: actor.companyId, pointId, ...draft })
    .returning()
  if (!row) throw new AppError('not-found')
  const amount = toPlantAmount(row)
  await recordAmountEvent(tx, actor, 'plant.amount-added', amount)
  return amount
}

async function lockAmount(tx: Db, actor: Actor, id: string): Promise<PlantAmountRow> {
  const [row] = await tx
    .select()
    .from(plantAmounts)
    .where(and(amountScope(actor), eq(plantAmounts.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const isAmountOfCompany = ({ companyId }: Actor, id: string) =>
  and(eq(plantAmounts.companyId, companyId), eq(plantAmounts.id, id))

export async function updatePlantAmount(tx: Db, actor: Actor, id: string, input: z.output<typeof AmountUpdate>) {
  const before = await lockAmount(tx, actor, id)
  const { version, ...draft } = input
  requireCurrentVersion(before, input)
  requireValidDays(draft)
  const [row] = await tx
    .update(plantAmounts)
    .set({ ...draft, version: version + 1 })
    .where(isAmountOfCompany(actor, id))
    .returning()
  if (!row) throw new AppError('not-found')
  const after = toPlantAmount(row)
  await recordAmountEvent(tx, actor, 'plant.amount-changed', after)
  return { before: toPlantAmount(before), after }
}

export async function removePlantAmount(tx: Db, actor: Actor, id: string): Promise<PlantAmount> {
  const amount = toPlantAmount(await lockAmount(tx, actor, id))
  await tx.delete(plantAmounts).where(isAmountOfCompany(actor, id))
  await recordAmountEvent(tx, actor, 'plant.amount-removed', amount)
  return amount
}

type RecurringAmount = { amount: number; every: AmountFrequency; startsOn: string; endsOn: string | null }
type Period = { from: string; to: string }

const MONTHS_PER_PERIOD = { month: 1, year: 12 }

/** The same day some months later, or the last day of a shorter month. */
function addMonthsClamped(day: string, months: number): string {
  const first = addMonths(`${day.slice(0, 7)}-01`, months)
  const last = addDays(addMonths(first, 1), -1)
  const wanted = `${first.slice(0, 8)}${day.slice(8)}`
  return wanted < last ? wanted : last
}

/** How often an amount is due in the period: on its first day, then each month or year until it ends. */
export function countDueTimes({ every, startsOn, endsOn }: RecurringAmount, { from, to }: Period): number {
  const end = endsOn !== null && endsOn < to ? endsOn : to
  if (every === 'once') return startsOn >= from && startsOn < to ? 1 : 0
  let times = 0
  for (let n = 0, day = startsOn; day < end; n += 1, day = addMonthsClamped(startsOn, n * MONTHS_PER_PERIOD[every]))
    if (day >= from) times += 1
  return times
}

export const sumDueAmounts = (all: RecurringAmount[], period: Period): number =>
  all.reduce((sum, one) => sum + one.amount * countDueTimes(one, period), 0)
