import { sql } from 'drizzle-orm'
import { participants, participations, points } from '../db/schema/index.ts'

/** The point's own name, else that of whoever takes part with it; empty where nobody does. */
export const pointLabel = sql<string>`coalesce(nullif(${points.label}, ''), (
  select ${participants.name} from ${participations} join ${participants}
      on ${participants.companyId} = ${participations.companyId} and ${participants.id} = ${participations.participantId}
   where ${participations.companyId} = ${points.companyId} and ${participations.pointId} = ${points.id}
   order by ${participations.startsOn} desc limit 1), '')`
