import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants, portalViews } from '../../../db/schema/index.ts'
import { type Actor, isPersonActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { participantScope } from '../../energy/participants/index.ts'

/** Long enough to look around, and not open for the whole day. */
const VIEW_VALIDITY_MS = 3_600_000

/**
 * An account may have participants in other operations too: a limited user may view it only when all are within their
 * operations.
 */
const hasOperationOutsideLimit = ({ operationIds }: Actor) => sql<boolean>`exists (
  select from participations s join participants q on q.company_id = s.company_id and q.id = s.participant_id
   where q.company_id = ${participants}.company_id and (q.user_id = ${participants}.user_id or exists (select from portal_holders h
     where h.company_id = q.company_id and h.participant_id = q.id and h.user_id = ${participants}.user_id))
     and s.operation_id <> all(${sql.param([...(operationIds ?? [])])}::uuid[]))`

/** Opens the portal of a participant read-only, for this session only. */
export async function startPortalImpersonation(tx: Db, actor: Actor, id: string) {
  const [person] = await tx
    .select({
      name: participants.name,
      userId: participants.userId,
      elsewhere: actor.operationIds ? hasOperationOutsideLimit(actor) : sql<boolean>`false`,
    })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
  if (!person) throw new AppError('not-found')
  if (!isPersonActor(actor)) throw new AppError('forbidden')
  const refuse = (message: string) => new AppError('conflict', { message })
  if (!person.userId)
    throw refuse('Ce participant n’a pas encore de portail\u00a0: invitez-le d’abord, par e-mail ou par une lettre.')
  if (person.elsewhere)
    throw refuse(
      'Ce participant prend aussi part à une opération que vous ne suivez pas\u00a0: son portail la montrerait.',
    )
  const { companyId, userId: viewerId, sessionId } = actor
  const expiresAt = new Date(Date.now() + VIEW_VALIDITY_MS)
  const [row] = await tx
    .insert(portalViews)
    .values({ companyId, participantId: id, viewerId, sessionId, expiresAt })
    .returning({ id: portalViews.id })
  if (!row) throw new AppError('internal')
  return { viewId: row.id, name: person.name, expiresAt: expiresAt.toISOString() }
}

export async function endPortalImpersonation(tx: Db, { companyId, sessionId }: Actor, id: string): Promise<string> {
  const [row] = await tx
    .update(portalViews)
    .set({ endedAt: new Date() })
    .where(
      and(
        eq(portalViews.companyId, companyId),
        eq(portalViews.id, id),
        eq(portalViews.sessionId, sessionId),
        isNull(portalViews.endedAt),
      ),
    )
    .returning({ participantId: portalViews.participantId })
  if (!row) throw new AppError('not-found')
  const [person] = await tx
    .select({ name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, row.participantId)))
  return person?.name ?? ''
}
