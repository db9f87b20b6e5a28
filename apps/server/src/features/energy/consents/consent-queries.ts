import type { Consent } from '@voisol/contract/consents'
import { and, asc, eq, sql } from 'drizzle-orm'
import { isParticipantOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { consents, participants, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { listCurrentConsentTexts } from './consent-texts.ts'

type ConsentRow = typeof consents.$inferSelect
const EXPIRING_DAYS = 60
/** A consent that ends before this day is shown as expiring. */
export const getExpiringSoonLimit = (day: string) =>
  Temporal.PlainDate.from(day).add({ days: EXPIRING_DAYS }).toString()

/** Only the last consent for a purpose counts: an earlier one is over, whatever its end date. */
export function getConsentState(row: ConsentRow, isLast: boolean, day: string): Consent['state'] {
  if (row.withdrawnAt) return 'withdrawn'
  if (!isLast || row.expiresOn <= day) return 'expired'
  return row.expiresOn <= getExpiringSoonLimit(day) ? 'expiring' : 'valid'
}

/** The columns only store what the contract allows. */
const toConsent = (row: ConsentRow, isLast: boolean, day: string) =>
  ({
    ...row,
    givenAt: row.givenAt.toISOString(),
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    state: getConsentState(row, isLast, day),
  }) as Consent

/** Participants whose last consent for a purpose is valid today. */
export async function listParticipantsWithConsent(
  db: Db,
  companyId: number,
  purpose: Consent['purpose'],
  participantIds: string[],
) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.participant_id as id from (
      select distinct on (participant_id) participant_id, withdrawn_at, expires_on from consents
       where company_id = ${companyId} and purpose = ${purpose} and participant_id = any(${sql.param(participantIds)}::uuid[])
       order by participant_id, created_at desc, id desc) c
     where c.withdrawn_at is null and c.expires_on > ${getToday()}`)
  return new Set(rows.map(({ id }) => id))
}

/** The consents of these participants, latest first. */
export async function loadConsents(db: Db, companyId: number, participantIds: string[]): Promise<Consent[]> {
  const rows = await db
    .select()
    .from(consents)
    .where(
      and(
        eq(consents.companyId, companyId),
        sql`${consents.participantId} = any(${sql.param(participantIds)}::uuid[])`,
      ),
    )
    .orderBy(asc(consents.createdAt), asc(consents.id))
  const last = new Map(rows.map((row) => [`${row.participantId} ${row.purpose}`, row.id]))
  const day = getToday()
  return rows.map((row) => toConsent(row, last.get(`${row.participantId} ${row.purpose}`) === row.id, day)).reverse()
}

const hasReadableParticipation = (actor: Actor) =>
  actor.operationIds
    ? sql`exists (select 1 from ${participations} where ${participations.companyId} = ${participants.companyId}
        and ${participations.participantId} = ${participants.id} and ${withinOperationLimit(actor, participations.operationId)})`
    : undefined

/** The company's participants within the user's limit; in the portal, only oneself. */
export const consentingParticipantScope = (actor: Actor) =>
  and(
    eq(participants.companyId, actor.companyId),
    actor.space === 'office' ? hasReadableParticipation(actor) : isParticipantOfUser(actor),
  )

/** Clients list their own consents; an administrator names the participant. */
export async function listConsents(db: Db, actor: Actor, participantId: string | undefined) {
  if (actor.space === 'office' && !participantId) throw fieldError('participantId', 'Indiquez le participant.')
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(consentingParticipantScope(actor), participantId ? eq(participants.id, participantId) : undefined))
    .orderBy(sql`fold(${participants.name})`)
  if (participantId && !people.length) throw new AppError('not-found')
  const ids = people.map(({ id }) => id)
  return { items: await loadConsents(db, actor.companyId, ids), participants: people, texts: listCurrentConsentTexts() }
}
