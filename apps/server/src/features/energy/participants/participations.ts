import type { Participation, ParticipationDates, ParticipationDraft } from '@voisol/contract/points'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { bothSides, twinsOf } from './batteries.ts'
import { anyOf, HELD, joined } from './enrol-known.ts'
import { getParticipation } from './participation-view.ts'
import { difference, type Span } from './periods.ts'
import { putPoint } from './points.ts'
import { lockEnrolments, overlapFault, periodFaults, unnamed } from './rules.ts'
import { participationScope } from './scope.ts'
import { tellMembers } from './tell.ts'
import { lockParticipant } from './write.ts'

type Draft = z.output<typeof ParticipationDraft>
type Update = z.output<typeof ParticipationDates>
type Row = typeof participations.$inferSelect

const one = (actor: Actor, id: string) => and(participationScope(actor), eq(participations.id, id))

/** A participation, held until the transaction ends, after those who change others of the company. */
export async function lockParticipation(tx: Db, actor: Actor, id: string): Promise<Row> {
  await lockEnrolments(tx, actor.companyId)
  const [row] = await tx.select().from(participations).where(one(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** The other participations of a point, with the names a refusal needs. */
const others = async (tx: Db, actor: Actor, pointId: string, exceptId?: string) => {
  const rows = await tx
    .select(HELD)
    .from(participations)
    .innerJoin(points, joined.point)
    .innerJoin(operations, joined.operation)
    .innerJoin(participants, joined.participant)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        eq(participations.pointId, pointId),
        exceptId ? ne(participations.id, exceptId) : undefined,
      ),
    )
    .orderBy(participations.startsOn)
  return rows.map((held) => unnamed(actor, held))
}

type Place = { operationId: string; pointId: string; id?: string }

/** Throws unless these days are free for the point and inside the operation. */
export async function requireFree(tx: Db, actor: Actor, { operationId, pointId, id }: Place, span: Span) {
  const operation = await findOperation(tx, actor, operationId)
  const [fault] = periodFaults(operation, span)
  if (fault) throw fieldError(fault.field, fault.message)
  const overlap = overlapFault(operationId, span, await others(tx, actor, pointId, id))
  if (overlap) throw fieldError(id ? 'startsOn' : 'prm', overlap, 'conflict')
}

export async function createParticipation(tx: Db, actor: Actor, input: Draft): Promise<Participation> {
  const { operationId, participantId, prm, direction, storage, point, ...dates } = input
  const { companyId } = actor
  await lockEnrolments(tx, companyId)
  await findOperation(tx, actor, operationId)
  const { postalCode, city } = await lockParticipant(tx, actor, participantId)
  const participationIds: string[] = []
  for (const line of bothSides({ prm, direction, storage, postalCode, city, ...point })) {
    const pointId = await putPoint(tx, actor, line)
    await requireFree(tx, actor, { operationId, pointId }, dates)
    const [row] = await tx
      .insert(participations)
      .values({ companyId, operationId, participantId, pointId, ...dates })
      .returning({ id: participations.id })
    if (row) participationIds.push(row.id)
  }
  const after = await getParticipation(tx, actor, participationIds[0] ?? '')
  await tellMembers(tx, 'started', { companyId, operationId, participationIds, changed: [difference(null, dates)] })
  return after
}

/** A participation and, of a battery, its other direction: what becomes of one becomes of both. */
export async function lockSides(tx: Db, actor: Actor, id: string): Promise<[Row, ...Row[]]> {
  const row = await lockParticipation(tx, actor, id)
  const twins = await twinsOf(tx, actor.companyId, [id])
  const others: Row[] = []
  for (const twin of twins) others.push(await lockParticipation(tx, actor, twin))
  return [row, ...others]
}

export async function updateParticipation(tx: Db, actor: Actor, id: string, input: Update) {
  const sides = await lockSides(tx, actor, id)
  const [row] = sides
  requireVersion(row, input)
  const { version: _, ...dates } = input
  const before = await getParticipation(tx, actor, id)
  for (const side of sides) {
    await requireFree(tx, actor, side, dates)
    await saveDates(tx, actor, side.id, dates)
  }
  const after = await getParticipation(tx, actor, id)
  const participationIds = sides.map((side) => side.id)
  await tellMembers(tx, 'changed', { ...row, participationIds, changed: [difference(row, dates)] })
  return { before, after }
}

export async function saveDates(tx: Db, actor: Actor, id: string, dates: Partial<Row>) {
  await tx
    .update(participations)
    .set({ ...dates, version: sql`${participations.version} + 1` })
    .where(one(actor, id))
}

/** What a definitive run used is history: it ends, it does not vanish. */
export async function removeParticipation(tx: Db, actor: Actor, id: string): Promise<Participation> {
  const sides = await lockSides(tx, actor, id)
  const [row] = sides
  const before = await getParticipation(tx, actor, id)
  const pointIds = sides.map((side) => side.pointId)
  const { rows } = await tx.execute(sql`
    select 1 from allocation_runs r
     where r.company_id = ${actor.companyId} and r.operation_id = ${row.operationId}
       and r.kind = 'definitive' and r.status = 'done'
       and r.ends_on > ${row.startsOn}::date and (${row.endsOn}::date is null or r.starts_on < ${row.endsOn}::date)
       and exists (select 1 from allocation_days d
          where d.company_id = r.company_id and d.run_id = r.id and d.point_id = ${anyOf(pointIds, 'uuid')}) limit 1`)
  if (rows.length)
    throw new AppError('conflict', {
      message:
        'Cette participation a compté dans une répartition définitive\u00a0: indiquez plutôt son jour de sortie.',
    })
  for (const side of sides) await tx.delete(participations).where(one(actor, side.id))
  const participationIds = sides.map((side) => side.id)
  await tellMembers(tx, 'removed', { ...row, participationIds, changed: [difference(row, null)] })
  return before
}
