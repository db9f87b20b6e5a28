import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { onlineEvents } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** Files an unmatched message with a note on what was done about it. */
export async function settleUnmatchedNotice(tx: Db, actor: Actor, id: string, note: string): Promise<string> {
  const [row] = await tx
    .update(onlineEvents)
    .set({ settledAt: new Date(), settledBy: formatActorName(actor), note })
    .where(and(eq(onlineEvents.companyId, actor.companyId), eq(onlineEvents.id, id), isNull(onlineEvents.settledAt)))
    .returning({ eventId: onlineEvents.eventId })
  if (!row) throw new AppError('not-found')
  return row.eventId
}
