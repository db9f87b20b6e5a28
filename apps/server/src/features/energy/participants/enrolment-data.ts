import type { ParticipantLine } from '@voisol/contract/participants'
import { type AnyColumn, and, eq, or, type SQL, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { ParticipantRow } from './participant-scope.ts'
import type { NamedParticipation, OperationWithDates } from './participation-rules.ts'

export type PointRow = typeof points.$inferSelect
export type EnrolmentData = {
  operation: OperationWithDates
  people: ParticipantRow[]
  points: PointRow[]
  held: (NamedParticipation & { prm: string })[]
}

export const anyOfArray = (values: string[], type: 'text' | 'uuid') =>
  sql`any(${sql.param(values)}::${sql.raw(type)}[])`

export const NAMED_PARTICIPATION_COLUMNS = {
  id: participations.id,
  operationId: participations.operationId,
  operationName: operations.name,
  participantId: participations.participantId,
  participantName: participants.name,
  pointId: participations.pointId,
  startsOn: participations.startsOn,
  endsOn: participations.endsOn,
  agreementSignedOn: participations.agreementSignedOn,
}

const TABLES = { participations, participants, points, operations }
export const PARTICIPATION_JOINS = {
  point: and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)),
  operation: and(eq(operations.companyId, participations.companyId), eq(operations.id, participations.operationId)),
  participant: and(
    eq(participants.companyId, participations.companyId),
    eq(participants.id, participations.participantId),
  ),
}
const isInCompany = (actor: Actor, table: keyof typeof TABLES) => eq(TABLES[table].companyId, actor.companyId)

const distinctValues = (values: (string | undefined)[]) =>
  [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[] // undefined is filtered out

const foldSql = (text: AnyColumn | SQL) => sql`regexp_replace(fold(${text}), '[^a-z0-9]+', '', 'g')`

/** Participants that a line may refer to: by e-mail, SIREN, address, or as holder of the point. */
function listPossiblePeople(db: Db, actor: Actor, lines: ParticipantLine[], holders: string[]) {
  const addresses = distinctValues(lines.map(({ address }) => address))
  return db
    .select()
    .from(participants)
    .where(
      and(
        isInCompany(actor, 'participants'),
        or(
          sql`${participants.email} = ${anyOfArray(distinctValues(lines.map(({ email }) => email)), 'text')}`,
          sql`${participants.siren} = ${anyOfArray(distinctValues(lines.map(({ siren }) => siren)), 'text')}`,
          sql`${participants.id} = ${anyOfArray(holders, 'uuid')}`,
          sql`${participants.address} <> '' and ${foldSql(participants.address)} in (
            select ${foldSql(sql`x`)} from unnest(${sql.param(addresses)}::text[]) as x)`,
        ),
      ),
    )
    .orderBy(participants.createdAt, participants.id)
}

/** Loads all known people and points of the lines, in four statements whatever their number. */
export const loadEnrolmentData = async (db: Db, actor: Actor, operationId: string, lines: ParticipantLine[]) =>
  loadEnrolmentDataFor(db, actor, await requireVisibleOperation(db, actor, operationId), lines)

/** The same for an operation that does not exist yet. */
export async function loadEnrolmentDataFor(
  db: Db,
  actor: Actor,
  operation: OperationWithDates,
  lines: ParticipantLine[],
): Promise<EnrolmentData> {
  const prms = distinctValues(lines.map(({ prm }) => prm))
  const knownPoints = await db
    .select()
    .from(points)
    .where(and(isInCompany(actor, 'points'), sql`${points.prm} = ${anyOfArray(prms, 'text')}`))
  const namedParticipations = await db
    .select({ ...NAMED_PARTICIPATION_COLUMNS, prm: points.prm })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .where(and(isInCompany(actor, 'participations'), sql`${points.prm} = ${anyOfArray(prms, 'text')}`))
    .orderBy(participations.startsOn)
  const holders = [...new Set(namedParticipations.map(({ participantId }) => participantId))]
  const people = await listPossiblePeople(db, actor, lines, holders)
  return { operation, points: knownPoints, held: namedParticipations, people }
}
