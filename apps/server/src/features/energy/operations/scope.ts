import { and, eq, type SQL, sql } from 'drizzle-orm'
import { operations, participants, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/session.ts'

/** Those of the actor's company; for a client only those that one of their points is or was in. */
export const operationScope = (actor: Actor): SQL | undefined =>
  and(eq(operations.companyId, actor.companyId), actor.isAdmin ? undefined : takesPart(actor))

const takesPart = (actor: Actor) => sql`exists (
  select 1 from ${participations}
    join ${participants} on ${participants.companyId} = ${participations.companyId}
     and ${participants.id} = ${participations.participantId}
   where ${participations.companyId} = ${operations.companyId} and ${participations.operationId} = ${operations.id}
     and ${participants.userId} = ${actor.userId})`
