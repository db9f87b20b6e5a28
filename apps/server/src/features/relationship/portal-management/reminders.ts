import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { inviteParticipant } from '../../energy/participants/participants.ts'
import { chosenPeople, SENT_AT, STATE } from './people.ts'
import { MEMBER } from './scope.ts'

/** Nobody is written to again sooner, and no more than so many leave at once. */
const PAUSE_DAYS = 3
const MOST = 200

/** Another invitation to each of those who have not answered theirs. */
export async function remindAll(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  { operationId }: { operationId?: string | undefined },
) {
  if (operationId) await findOperation(tx, actor, operationId)
  const waiting = await tx
    .select({ id: participants.id, due: sql<boolean>`${SENT_AT} <= now() - make_interval(days => ${PAUSE_DAYS})` })
    .from(participants)
    .innerJoin(memberships, MEMBER)
    .where(and(chosenPeople(actor, { operationId }), sql`${STATE} in ('sent', 'expired')`, ne(participants.email, '')))
    .orderBy(asc(memberships.invitationExpiresAt), asc(participants.id))
  const due = waiting.filter((row) => row.due).slice(0, MOST)
  // An account may read for several participants: it is written to once.
  const told = new Set<string>()
  for (const { id } of due) {
    const [row] = await tx
      .select({ userId: participants.userId })
      .from(participants)
      .where(and(eq(participants.companyId, actor.companyId), eq(participants.id, id)))
    if (!row?.userId || told.has(row.userId)) continue
    told.add(row.userId)
    await inviteParticipant(tx, post, actor, id)
  }
  return { sent: told.size, left: waiting.length - due.length }
}
