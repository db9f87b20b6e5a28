import { and, asc, eq, gt, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'

const PARTICIPATION_COLUMNS = {
  participationId: participations.id,
  operationId: participations.operationId,
  participantId: participants.id,
  pointId: points.id,
  prm: points.prm,
  label: points.label,
  direction: points.direction,
  storage: points.storage,
  segment: points.segment,
  subscribedVa: points.subscribedVa,
  peakWatts: points.peakWatts,
  commissionedOn: points.commissionedOn,
  place: points.address,
  name: participants.name,
  kind: participants.kind,
  siren: participants.siren,
  email: participants.email,
  phone: participants.phone,
  address: participants.address,
  postalCode: participants.postalCode,
  city: participants.city,
  startsOn: participations.startsOn,
  endsOn: participations.endsOn,
  noticeOn: participations.noticeOn,
  agreementSignedOn: participations.agreementSignedOn,
}
export type RegulatoryParticipation = Awaited<ReturnType<typeof selectParticipations>>[number]

const selectParticipations = (db: Db, where: SQL | undefined) =>
  db
    .select(PARTICIPATION_COLUMNS)
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, participations.companyId), eq(participants.id, participations.participantId)),
    )
    .where(where)
    .orderBy(asc(sql`fold(${participants.name})`), asc(points.prm), asc(participations.startsOn))

const isOfOperation = (companyId: number, operationId: string) =>
  and(eq(participations.companyId, companyId), eq(participations.operationId, operationId))

/** Past and present participations, by name. */
export const listParticipationsOfOperation = (db: Db, companyId: number, operationId: string) =>
  selectParticipations(db, isOfOperation(companyId, operationId))

/** Current and future participations: past members are no longer in the convention. */
export const listCurrentParticipations = (db: Db, companyId: number, operationId: string, day: string) =>
  selectParticipations(
    db,
    and(isOfOperation(companyId, operationId), or(isNull(participations.endsOn), gt(participations.endsOn, day))),
  )

/** Participations of all operations that begin or end in the period. */
export const listMovingParticipations = (db: Db, companyId: number, from: string, to: string) =>
  selectParticipations(
    db,
    and(
      eq(participations.companyId, companyId),
      or(
        and(gte(participations.startsOn, from), lt(participations.startsOn, to)),
        and(gte(participations.endsOn, from), lt(participations.endsOn, to)),
      ),
    ),
  )
