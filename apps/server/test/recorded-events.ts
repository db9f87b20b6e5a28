import type { EventName } from '@voisol/contract/events'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import { events } from '../src/db/schema/index.ts'

/** Events of a company with these names, in order. */
export const listRecordedEvents = (db: Db, companyId: number, names: EventName[]) =>
  db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), inArray(events.name, names)))
    .orderBy(asc(events.seq))
