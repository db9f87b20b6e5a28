import type { EventData } from '@voisol/contract/events'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { companies, events } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { defineJob } from '../../../jobs/job.ts'

const INCIDENT_EVENTS = ['incident.opened', 'incident.updated', 'incident.resolved'] as const
type IncidentEvent = { name: (typeof INCIDENT_EVENTS)[number]; data: EventData<'incident.opened'> }

/** All updates of an incident in order: whichever job runs first also publishes the earlier updates. */
const listIncidentEvents = (db: Db, companyId: number, incidentId: string) =>
  db
    .select({ name: events.name, data: events.data })
    .from(events)
    .where(
      and(eq(events.companyId, companyId), eq(events.object, incidentId), inArray(events.name, [...INCIDENT_EVENTS])),
    )
    .orderBy(asc(events.seq)) as Promise<unknown> as Promise<IncidentEvent[]> // written by record()

/**
 * One job per company, so that no company waits for another; a company that has the update already gets it only once.
 */
export const incidentJobs = {
  'incidents.tell': defineJob({
    input: z.object({ keeperId: z.int(), incidentId: z.uuid() }),
    stopsAtOnce: true,
    async run({ db }, { keeperId, incidentId }, { signal }) {
      const all = await db.select({ id: companies.id }).from(companies).orderBy(asc(companies.id))
      const news = await listIncidentEvents(db, keeperId, incidentId)
      for (const { id: companyId } of all) {
        signal.throwIfAborted()
        await transaction(scopeToCompany(db, companyId), async (tx) => {
          for (const { name, data } of news)
            await recordEvent(tx, { companyId, name, object: incidentId, data, once: data.updateId })
        })
      }
    },
  }),
}
