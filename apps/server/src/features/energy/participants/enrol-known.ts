import type { ParticipantLine } from '@voisol/contract/participants'
import { type AnyColumn, and, eq, or, type SQL, sql } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { ParticipantRow } from './identity.ts'
import type { Frame, Held } from './rules.ts'

export type PointRow = typeof points.$inferSelect
export type Known = {
  operation: Frame
  people: ParticipantRow[]
  points: PointRow[]
  held: (Held & { prm: string })[]
}

export const anyOf = (values: string[], type: 'text' | 'uuid') => sql`any(${sql.param(values)}::${sql.raw(type)}[])`

export const HELD = {
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

const company = { participations, participants, points, operations }
export const joined = {
  point: and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)),
  operation: and(eq(operations.companyId, participations.companyId), eq(operations.id, participations.operationId)),
  participant: and(
    eq(participants.companyId, participations.companyId),
    eq(participants.id, participations.participantId),
  ),
}
export const inCompany = (actor: Actor, table: keyof typeof company) => eq(company[table].companyId, actor.companyId)

const said = (values: (string | undefined)[]) =>
  [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[] // undefined is left out

const plain = (text: AnyColumn | SQL) => sql`regexp_replace(fold(${text}), '[^a-z0-9]+', '', 'g')`

/** Whoever a line may mean: by e-mail, by SIREN, by address, or because they hold the point already. */
function findPeople(db: Db, actor: Actor, lines: ParticipantLine[], holders: string[]) {
  const addresses = said(lines.map(({ address }) => address))
  return db
    .select()
    .from(participants)
    .where(
      and(
        inCompany(actor, 'participants'),
        or(
          sql`${participants.email} = ${anyOf(said(lines.map(({ email }) => email)), 'text')}`,
          sql`${participants.siren} = ${anyOf(said(lines.map(({ siren }) => siren)), 'text')}`,
          sql`${participants.id} = ${anyOf(holders, 'uuid')}`,
          sql`${participants.address} <> '' and ${plain(participants.address)} in (
            select ${plain(sql`x`)} from unnest(${sql.param(addresses)}::text[]) as x)`,
        ),
      ),
    )
    .orderBy(participants.createdAt, participants.id)
}

/** Everything that is known of the people and the points of the lines, in four statements whatever their number. */
export const loadKnown = async (db: Db, actor: Actor, operationId: string, lines: ParticipantLine[]) =>
  knownFor(db, actor, await findOperation(db, actor, operationId), lines)

/** The same for an operation that is only being drawn up. */
export async function knownFor(db: Db, actor: Actor, operation: Frame, lines: ParticipantLine[]): Promise<Known> {
  const prms = said(lines.map(({ prm }) => prm))
  const knownPoints = await db
    .select()
    .from(points)
    .where(and(inCompany(actor, 'points'), sql`${points.prm} = ${anyOf(prms, 'text')}`))
  const held = await db
    .select({ ...HELD, prm: points.prm })
    .from(participations)
    .innerJoin(points, joined.point)
    .innerJoin(operations, joined.operation)
    .innerJoin(participants, joined.participant)
    .where(and(inCompany(actor, 'participations'), sql`${points.prm} = ${anyOf(prms, 'text')}`))
    .orderBy(participations.startsOn)
  const holders = [...new Set(held.map(({ participantId }) => participantId))]
  const people = await findPeople(db, actor, lines, holders)
  return { operation, points: knownPoints, held, people }
}
