import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import { pointScope } from '../../energy/participants/participants.ts'
import {
  type Asking,
  BATCH,
  DIRECTION,
  day,
  instant,
  integer,
  OPERATION,
  PRM,
  paged,
  type Source,
  text,
} from './data-set.ts'

const ofOperations = ({ actor, operationId }: Asking) =>
  and(
    eq(operations.companyId, actor.companyId),
    withinLimit(actor, operations.id),
    operationId ? eq(operations.id, operationId) : undefined,
  )

const OPERATION_COLUMNS = [
  text('id', 'Identifiant de l’opération'),
  text('name', 'Nom'),
  text('acc_number', 'Numéro ACC donné par le distributeur'),
  text('status', 'État'),
  text('postal_code', 'Code postal'),
  text('city', 'Ville'),
  integer('step_minutes', 'Pas des courbes', 'min'),
  day('starts_on', 'Premier jour'),
  day('ends_on', 'Jour de fin, exclu'),
  instant('created_at', 'Création', 'UTC'),
]

export const operationSource: Source = {
  about: 'Une ligne par opération, telle qu’elle est aujourd’hui.',
  columns: OPERATION_COLUMNS,
  read: (asking, from) =>
    paged(
      OPERATION_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: operations.id,
            name: operations.name,
            acc_number: operations.accNumber,
            status: operations.status,
            postal_code: operations.postalCode,
            city: operations.city,
            step_minutes: operations.stepMinutes,
            starts_on: operations.startsOn,
            ends_on: operations.endsOn,
            created_at: operations.createdAt,
          })
          .from(operations)
          .where(and(ofOperations(asking), after ? gt(operations.id, after) : undefined))
          .orderBy(asc(operations.id))
          .limit(BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(operations).where(ofOperations(asking))
    return sum?.n ?? 0
  },
}

export const ofParticipations = ({ actor, operationId, participantId }: Asking) =>
  and(
    eq(participations.companyId, actor.companyId),
    withinLimit(actor, participations.operationId),
    operationId ? eq(participations.operationId, operationId) : undefined,
    participantId ? eq(participations.participantId, participantId) : undefined,
  )

const PARTICIPANT_COLUMNS = [
  text('id', 'Identifiant de la participation'),
  OPERATION,
  text('participant_id', 'Identifiant du participant'),
  text('name', 'Nom affiché'),
  text('kind', 'person ou organisation'),
  PRM,
  DIRECTION,
  text('segment', 'Segment du point'),
  day('starts_on', 'Premier jour dans l’opération'),
  day('ends_on', 'Jour de sortie, exclu'),
]

export const participantSource: Source = {
  about: 'Une ligne par participation\u00a0: une personne, un point, une opération, ses jours.',
  columns: PARTICIPANT_COLUMNS,
  read: (asking, from) =>
    paged(
      PARTICIPANT_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: participations.id,
            operation_id: participations.operationId,
            participant_id: participations.participantId,
            name: participants.name,
            kind: participants.kind,
            prm: points.prm,
            direction: points.direction,
            segment: points.segment,
            starts_on: participations.startsOn,
            ends_on: participations.endsOn,
          })
          .from(participations)
          .innerJoin(
            participants,
            and(
              eq(participants.companyId, participations.companyId),
              eq(participants.id, participations.participantId),
            ),
          )
          .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
          .where(and(ofParticipations(asking), after ? gt(participations.id, after) : undefined))
          .orderBy(asc(participations.id))
          .limit(BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(participations).where(ofParticipations(asking))
    return sum?.n ?? 0
  },
}

/** Those that somebody holds, where an operation or a participant is asked for. */
const ofPoints = (asking: Asking) =>
  and(
    pointScope(asking.actor),
    asking.operationId || asking.participantId
      ? sql`${points.id} in (select ${participations.pointId} from ${participations} where ${ofParticipations(asking)})`
      : undefined,
  )

const POINT_COLUMNS = [
  text('id', 'Identifiant du point'),
  PRM,
  DIRECTION,
  text('label', 'Libellé'),
  text('segment', 'Segment'),
  integer('subscribed_va', 'Puissance souscrite', 'VA'),
  integer('peak_watts', 'Puissance crête de la centrale', 'W'),
  day('commissioned_on', 'Mise en service'),
  text('address', 'Adresse'),
]

export const pointSource: Source = {
  about: 'Une ligne par point et par sens\u00a0: ce qu’il soutire, ou ce qu’il injecte.',
  columns: POINT_COLUMNS,
  read: (asking, from) =>
    paged(
      POINT_COLUMNS,
      from,
      (after) =>
        asking.db
          .select({
            id: points.id,
            prm: points.prm,
            direction: points.direction,
            label: points.label,
            segment: points.segment,
            subscribed_va: points.subscribedVa,
            peak_watts: points.peakWatts,
            commissioned_on: points.commissionedOn,
            address: points.address,
          })
          .from(points)
          .where(and(ofPoints(asking), after ? gt(points.id, after) : undefined))
          .orderBy(asc(points.id))
          .limit(BATCH),
      ({ id }) => id,
    ),
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(points).where(ofPoints(asking))
    return sum?.n ?? 0
  },
}
