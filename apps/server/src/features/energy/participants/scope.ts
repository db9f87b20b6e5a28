import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/session.ts'

/** The participants of the company; of a client, those read in their name. */
export const participantScope = (actor: Actor): SQL | undefined =>
  and(eq(participants.companyId, actor.companyId), actor.isAdmin ? undefined : eq(participants.userId, actor.userId))

const own = (actor: Actor) => sql`(select id from participants
  where company_id = ${actor.companyId} and user_id = ${actor.userId})`

export const participationScope = (actor: Actor): SQL | undefined =>
  and(
    eq(participations.companyId, actor.companyId),
    actor.isAdmin ? undefined : sql`${participations.participantId} in ${own(actor)}`,
  )

/** A client reads the points that are or were theirs. */
export const pointScope = (actor: Actor): SQL | undefined =>
  and(
    eq(points.companyId, actor.companyId),
    actor.isAdmin
      ? undefined
      : sql`${points.id} in (select m.point_id from participations m
          where m.company_id = ${actor.companyId} and m.participant_id in ${own(actor)})`,
  )
