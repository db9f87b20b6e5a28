import type { Participant, ParticipantDetail } from '@voisol/contract/participants'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { loadSignInsSql } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { memberships, participants, participations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { getExpiringSoonLimit, loadConsents } from '../consents/index.ts'
import { anyOfArray } from './enrolment-data.ts'
import { participantScope } from './participant-scope.ts'
import { listParticipationsWhere, loadParticipantPlaces } from './participation-queries.ts'
import {
  buildParticipantJoins,
  isAccountOfParticipant,
  isMembershipOfParticipant,
  type ListParticipantsQuery,
  lastSignInSql,
  listMatchingParticipantIds,
  portalStatusSql,
} from './select-participants.ts'

async function selectParticipantRows(db: Db, actor: Actor, only: SQL, where: SQL | undefined, operationId?: string) {
  const all = buildParticipantJoins(db, { actor, day: getToday(), operationId, only })
  const { iban: _, ...row } = getTableColumns(participants)
  const lastSignIn = lastSignInSql(await loadSignInsSql(db, actor.companyId)).mapWith(participants.createdAt)
  return db
    .select({ row, state: all.state, role: all.role, portal: portalStatusSql, lastSignInAt: lastSignIn, ...all.facts })
    .from(participants)
    .leftJoin(users, isAccountOfParticipant)
    .leftJoin(memberships, isMembershipOfParticipant)
    .leftJoin(all.standing, eq(all.standing.participantId, participants.id))
    .leftJoin(all.collection, eq(all.collection.participantId, participants.id))
    .where(where)
}
type ParticipantListRow = Awaited<ReturnType<typeof selectParticipantRows>>[number]
type PlacesByParticipant = Awaited<ReturnType<typeof loadParticipantPlaces>>

/** The columns only store what the contract allows. */
function toParticipantView({ row, ...derived }: ParticipantListRow, places: PlacesByParticipant): Participant {
  const { ibanEnd, mandateReference: _, mandateSignedOn: _on, createdAt, ...identity } = row
  const { state, role, portal: status, lastSignInAt: seen, ...facts } = derived
  return {
    ...identity,
    ...places(row.id),
    state,
    role,
    portal: { status, lastSignInAt: seen?.toISOString() ?? null },
    bank: { ibanEnd },
    review: listReviewReasons({ ...facts, email: row.email }, getToday()),
    createdAt: createdAt.toISOString(),
  } as Participant
}

/** Loads these participants in the given order. */
async function loadParticipants(db: Db, actor: Actor, ids: string[], operationId?: string): Promise<Participant[]> {
  const only = anyOfArray(ids, 'uuid')
  const rows = await selectParticipantRows(
    db,
    actor,
    only,
    sql`${participantScope(actor)} and ${participants.id} = ${only}`,
    operationId,
  )
  const places = await loadParticipantPlaces(db, actor, only, getToday())
  const byId = new Map(rows.map((row) => [row.row.id, toParticipantView(row, places)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function listParticipants(db: Db, actor: Actor, query: ListParticipantsQuery) {
  const { ids, total } = await listMatchingParticipantIds(db, actor, query, toLimitOffset(query))
  return { items: await loadParticipants(db, actor, ids, query.operationId), total }
}

/** All matching participants in order, without paging. */
export async function listAllParticipants(db: Db, actor: Actor, query: ListParticipantsQuery) {
  const { ids } = await listMatchingParticipantIds(db, actor, query)
  return loadParticipants(db, actor, ids, query.operationId)
}

export async function loadParticipant(db: Db, actor: Actor, id: string): Promise<ParticipantDetail> {
  const [participant] = await loadParticipants(db, actor, [id])
  if (!participant) throw new AppError('not-found')
  return {
    ...participant,
    participations: await listParticipationsWhere(db, actor, eq(participations.participantId, id)),
    consents: await loadConsents(db, actor.companyId, [id]),
  }
}

type ReviewFacts = { open: boolean | null; email: string; unsigned: boolean | null; agreedUntil: string | null }

/** What needs attention about current and future participants. */
function listReviewReasons({ open, email, unsigned, agreedUntil }: ReviewFacts, day: string): string[] {
  if (!open) return []
  const review: string[] = []
  if (!email) review.push('Adresse e-mail manquante')
  if (unsigned) review.push('Accord de participation non signé')
  if (!agreedUntil || agreedUntil <= day) review.push('Consentement à la collecte des mesures manquant')
  else if (agreedUntil <= getExpiringSoonLimit(day))
    review.push(`Consentement à la collecte à renouveler avant le ${formatFrenchDay(agreedUntil)}`)
  return review
}
