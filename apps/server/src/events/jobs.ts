import { z } from 'zod'
import { defineJob } from '../jobs/job.ts'
import { deliverEvents, listCompaniesWithPendingEvents } from './deliver-events.ts'
import { enqueueEventDelivery } from './events.ts'
import { subscribers } from './subscribers.ts'

export const eventJobs = {
  'events.deliver': defineJob({
    input: z.object({ companyId: z.int() }),
    follows: true,
    parallel: 4,
    stopsAtOnce: true,
    run: (deps, { companyId }, { signal }) => deliverEvents(deps, companyId, subscribers, signal),
  }),
  /** Catches up on lost notifications, including those of a command without a queue. */
  'events.sweep': defineJob({
    input: z.object({}),
    cron: '*/5 * * * *',
    atStart: true,
    policy: { retryLimit: 0, deleteAfterSeconds: 3600 },
    async run({ db }) {
      for (const companyId of await listCompaniesWithPendingEvents(db, subscribers))
        await enqueueEventDelivery(db, companyId)
    },
  }),
}
