import type { EventData } from '@voisol/contract/events'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { companies, events } from '../../../db/schema/index.ts'
import { job } from '../../../jobs/job.ts'

export const NEWS = ['incident.opened', 'incident.updated', 'incident.resolved'] as const
type News = { name: (typeof NEWS)[number]; data: EventData<'incident.opened'> }

/** All that its keeper said of an incident, in order: whichever job comes first tells what came before it too. */
const newsOf = (db: Db, companyId: number, incidentId: string) =>
  db
    .select({ name: events.name, data: events.data })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.object, incidentId), inArray(events.name, [...NEWS])))
    .orderBy(asc(events.seq)) as Promise<unknown> as Promise<News[]> // what record() wrote

/** A company at a time: nobody waits for another's, and one that was told already hears nothing more. */
export const incidentJobs = {
  'incidents.tell': job({
    input: z.object({ keeperId: z.int(), incidentId: z.uuid() }),
    stopsAtOnce: true,
    async run({ db }, { keeperId, incidentId }, { signal }) {
      const all = await db.select({ id: companies.id }).from(companies).orderBy(asc(companies.id))
      const news = await newsOf(db, keeperId, incidentId)
      for (const { id: companyId } of all) {
        signal.throwIfAborted()
        await transaction(forCompany(db, companyId), async (tx) => {
          for (const { name, data } of news)
            await record(tx, { companyId, name, object: incidentId, data, once: data.updateId })
        })
      }
    },
  }),
}
