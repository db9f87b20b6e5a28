import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { participantScope } from '../../energy/participants/participants.ts'

/** Loads a participant the actor may read: in the portal, oneself. */
export async function requireDebtor(db: Db, actor: Actor, id: string) {
  const [row] = await db
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
}
