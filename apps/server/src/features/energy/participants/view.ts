import type { Participant, ParticipantDetail } from '@voisol/contract/participants'
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { signInsOf } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { pageOf } from '../../../db/list.ts'
import { memberships, participants, participations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { consentsOf } from '../consents/consents.ts'
import { anyOf } from './enrol-known.ts'
import { participationsWhere } from './participation-view.ts'
import { placesOf } from './places.ts'
import { reviewOf } from './review.ts'
import { participantScope } from './scope.ts'
import { account, chosen, joins, lastSignInAt, member, portal, type Query } from './selection.ts'

async function readRows(db: Db, actor: Actor, only: SQL, where: SQL | undefined, operationId?: string) {
  const all = joins(db, { actor, day: today(), operationId, only })
  const { iban: _, ...row } = getTableColumns(participants)
  const seen = lastSignInAt(await signInsOf(db, actor.companyId)).mapWith(participants.createdAt)
  return db
    .select({ row, state: all.state, role: all.role, portal, lastSignInAt: seen, ...all.facts })
    .from(participants)
    .leftJoin(users, account)
    .leftJoin(memberships, member)
    .leftJoin(all.standing, eq(all.standing.participantId, participants.id))
    .leftJoin(all.collection, eq(all.collection.participantId, participants.id))
    .where(where)
}
type Row = Awaited<ReturnType<typeof readRows>>[number]
type Places = Awaited<ReturnType<typeof placesOf>>

/** The columns hold what the contract allows: every write passes by it. */
function toParticipant({ row, ...derived }: Row, places: Places): Participant {
  const { ibanEnd, mandateReference: _, mandateSignedOn: _on, createdAt, ...identity } = row
  const { state, role, portal: status, lastSignInAt: seen, ...facts } = derived
  return {
    ...identity,
    ...places(row.id),
    state,
    role,
    portal: { status, lastSignInAt: seen?.toISOString() ?? null },
    bank: { ibanEnd },
    review: reviewOf({ ...facts, email: row.email }, today()),
    createdAt: createdAt.toISOString(),
  } as Participant
}

/** Those participants in that order. */
async function shown(db: Db, actor: Actor, ids: string[], operationId?: string): Promise<Participant[]> {
  const only = anyOf(ids, 'uuid')
  const rows = await readRows(
    db,
    actor,
    only,
    sql`${participantScope(actor)} and ${participants.id} = ${only}`,
    operationId,
  )
  const places = await placesOf(db, actor, only, today())
  const byId = new Map(rows.map((row) => [row.row.id, toParticipant(row, places)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function listParticipants(db: Db, actor: Actor, query: Query) {
  const { ids, total } = await chosen(db, actor, query, pageOf(query))
  return { items: await shown(db, actor, ids, query.operationId), total }
}

/** The same people in the same order, without pages. */
export async function allParticipants(db: Db, actor: Actor, query: Query) {
  const { ids } = await chosen(db, actor, query)
  return shown(db, actor, ids, query.operationId)
}

export async function getParticipant(db: Db, actor: Actor, id: string): Promise<ParticipantDetail> {
  const [participant] = await shown(db, actor, [id])
  if (!participant) throw new AppError('not-found')
  return {
    ...participant,
    participations: await participationsWhere(db, actor, eq(participations.participantId, id)),
    consents: await consentsOf(db, actor.companyId, [id]),
  }
}
