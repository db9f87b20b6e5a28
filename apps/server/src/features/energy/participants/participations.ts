import type { Participation, ParticipationDates, ParticipationDraft } from '@voisol/contract/points'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { expandBatteryLine, listBatteryCounterparts } from './batteries.ts'
import { anyOfArray, NAMED_PARTICIPATION_COLUMNS, PARTICIPATION_JOINS } from './enrol-known.ts'
import { loadParticipation } from './participation-view.ts'
import { getChangedRange, type ParticipationDays } from './periods.ts'
import { createOrUpdatePoint } from './points.ts'
import { checkParticipationDays, describeOverlap, hideForeignNames, lockEnrolments } from './rules.ts'
import { participationScope } from './scope.ts'
import { recordParticipationChange } from './tell.ts'
import { lockParticipant } from './write.ts'

type ParticipationInput = z.output<typeof ParticipationDraft>
type UpdateParticipationInput = z.output<typeof ParticipationDates>
type ParticipationRow = typeof participations.$inferSelect

const isThisParticipation = (actor: Actor, id: string) => and(participationScope(actor), eq(participations.id, id))

/** Locks a participation until the transaction ends, after other enrolment changes of the company. */
export async function lockParticipation(tx: Db, actor: Actor, id: string): Promise<ParticipationRow> {
  await lockEnrolments(tx, actor.companyId)
  const [row] = await tx.select().from(participations).where(isThisParticipation(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** The other participations of a point, with the names needed for a refusal. */
const listOtherParticipations = async (tx: Db, actor: Actor, pointId: string, exceptId?: string) => {
  const rows = await tx
    .select(NAMED_PARTICIPATION_COLUMNS)
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        eq(participations.pointId, pointId),
        exceptId ? ne(participations.id, exceptId) : undefined,
      ),
    )
    .orderBy(participations.startsOn)
  return rows.map((held) => hideForeignNames(actor, held))
}

type PointInOperation = { operationId: string; pointId: string; id?: string }

/** Throws unless the point is free on these days and they are within the operation. */
export async function requirePointFree(
  tx: Db,
  actor: Actor,
  { operationId, pointId, id }: PointInOperation,
  span: ParticipationDays,
) {
  const operation = await requireVisibleOperation(tx, actor, operationId)
  const [fault] = checkParticipationDays(operation, span)
  if (fault) throw fieldError(fault.field, fault.message)
  const overlap = describeOverlap(operationId, span, await listOtherParticipations(tx, actor, pointId, id))
  if (overlap) throw fieldError(id ? 'startsOn' : 'prm', overlap, 'conflict')
}

export async function createParticipation(tx: Db, actor: Actor, input: ParticipationInput): Promise<Participation> {
  const { operationId, participantId, prm, direction, storage, point, ...dates } = input
  const { companyId } = actor
  await lockEnrolments(tx, companyId)
  await requireVisibleOperation(tx, actor, operationId)
  const { postalCode, city } = await lockParticipant(tx, actor, participantId)
  const participationIds: string[] = []
  for (const line of expandBatteryLine({ prm, direction, storage, postalCode, city, ...point })) {
    const pointId = await createOrUpdatePoint(tx, actor, line)
    await requirePointFree(tx, actor, { operationId, pointId }, dates)
    const [row] = await tx
      .insert(participations)
      .values({ companyId, operationId, participantId, pointId, ...dates })
      .returning({ id: participations.id })
    if (row) participationIds.push(row.id)
  }
  const after = await loadParticipation(tx, actor, participationIds[0] ?? '')
  await recordParticipationChange(tx, 'started', {
    companyId,
    operationId,
    participationIds,
    changed: [getChangedRange(null, dates)],
  })
  return after
}

/** Locks a participation and, for a battery, its other direction: both change together. */
export async function lockWithCounterparts(
  tx: Db,
  actor: Actor,
  id: string,
): Promise<[ParticipationRow, ...ParticipationRow[]]> {
  const row = await lockParticipation(tx, actor, id)
  const twins = await listBatteryCounterparts(tx, actor.companyId, [id])
  const others: ParticipationRow[] = []
  for (const twin of twins) others.push(await lockParticipation(tx, actor, twin))
  return [row, ...others]
}

export async function updateParticipation(tx: Db, actor: Actor, id: string, input: UpdateParticipationInput) {
  const sides = await lockWithCounterparts(tx, actor, id)
  const [row] = sides
  requireCurrentVersion(row, input)
  const { version: _, ...dates } = input
  const before = await loadParticipation(tx, actor, id)
  for (const side of sides) {
    await requirePointFree(tx, actor, side, dates)
    await updateParticipationRow(tx, actor, side.id, dates)
  }
  const after = await loadParticipation(tx, actor, id)
  const participationIds = sides.map((side) => side.id)
  await recordParticipationChange(tx, 'changed', { ...row, participationIds, changed: [getChangedRange(row, dates)] })
  return { before, after }
}

export async function updateParticipationRow(tx: Db, actor: Actor, id: string, dates: Partial<ParticipationRow>) {
  await tx
    .update(participations)
    .set({ ...dates, version: sql`${participations.version} + 1` })
    .where(isThisParticipation(actor, id))
}

/** A participation used by a definitive run can be ended but not removed. */
export async function removeParticipation(tx: Db, actor: Actor, id: string): Promise<Participation> {
  const sides = await lockWithCounterparts(tx, actor, id)
  const [row] = sides
  const before = await loadParticipation(tx, actor, id)
  const pointIds = sides.map((side) => side.pointId)
  const { rows } = await tx.execute(sql`
    select 1 from allocation_runs r
     where r.company_id = ${actor.companyId} and r.operation_id = ${row.operationId}
       and r.kind = 'definitive' and r.status = 'done'
       and r.ends_on > ${row.startsOn}::date and (${row.endsOn}::date is null or r.starts_on < ${row.endsOn}::date)
       and exists (select 1 from allocation_days d
          where d.company_id = r.company_id and d.run_id = r.id and d.point_id = ${anyOfArray(pointIds, 'uuid')}) limit 1`)
  if (rows.length)
    throw new AppError('conflict', {
      message:
        'Cette participation a compté dans une répartition définitive\u00a0: indiquez plutôt son jour de sortie.',
    })
  for (const side of sides) await tx.delete(participations).where(isThisParticipation(actor, side.id))
  const participationIds = sides.map((side) => side.id)
  await recordParticipationChange(tx, 'removed', { ...row, participationIds, changed: [getChangedRange(row, null)] })
  return before
}
