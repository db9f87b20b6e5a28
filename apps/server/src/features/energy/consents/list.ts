import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { loadConsents } from './kept.ts'
import { consentingParticipantScope } from './scope.ts'
import { listCurrentConsentTexts } from './texts.ts'

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
