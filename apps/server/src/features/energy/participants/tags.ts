import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { participantScope } from './scope.ts'

export const hasTag = (tag: string) => sql`${participants.tags} @> ${sql.param([tag])}::text[]`

/** Tags in use among visible participants, most used first. */
export const listTagsInUse = (db: Db, actor: Actor) => {
  const tag = sql<string>`unnest(${participants.tags})`.as('tag')
  const each = db.select({ tag }).from(participants).where(participantScope(actor)).as('each')
  const uses = sql<number>`count(*)::int`
  return db.select({ tag: each.tag, count: uses }).from(each).groupBy(each.tag).orderBy(sql`${uses} desc`, each.tag)
}
