import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { inviteParticipant } from '../../energy/participants/participants.ts'
import { buildPeopleFilter, INVITATION_SENT_AT, INVITATION_STATE } from './people.ts'
import { PARTICIPANT_MEMBERSHIP } from './scope.ts'

/** Minimum interval between reminders, and maximum number sent at once. */
const MIN_REMINDER_INTERVAL_DAYS = 3
const MAX_REMINDERS = 200

/** Sends another invitation to each person who has not answered. */
export async function remindPendingInvitations(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  { operationId }: { operationId?: string | undefined },
) {
  if (operationId) await requireVisibleOperation(tx, actor, operationId)
  const waiting = await tx
    .select({
      id: participants.id,
      due: sql<boolean>`${INVITATION_SENT_AT} <= now() - make_interval(days => ${MIN_REMINDER_INTERVAL_DAYS})`,
    })
    .from(participants)
    .innerJoin(memberships, PARTICIPANT_MEMBERSHIP)
    .where(
      and(
        buildPeopleFilter(actor, { operationId }),
        sql`${INVITATION_STATE} in ('sent', 'expired')`,
        ne(participants.email, ''),
      ),
    )
    .orderBy(asc(memberships.invitationExpiresAt), asc(participants.id))
  const due = waiting.filter((row) => row.due).slice(0, MAX_REMINDERS)
  // An account may be holder of several participants: it gets one reminder.
  const remindedUserIds = new Set<string>()
  for (const { id } of due) {
    const [row] = await tx
      .select({ userId: participants.userId })
      .from(participants)
      .where(and(eq(participants.companyId, actor.companyId), eq(participants.id, id)))
    if (!row?.userId || remindedUserIds.has(row.userId)) continue
    remindedUserIds.add(row.userId)
    await inviteParticipant(tx, post, actor, id)
  }
  return { sent: remindedUserIds.size, left: waiting.length - due.length }
}
