import { z } from 'zod'
import { deliverEvents, laggards } from '../core/deliver-events.ts'
import { wake } from '../core/events.ts'
import { job } from './job.ts'
import { subscribers } from './subscribers.ts'

export const eventJobs = {
  'events.deliver': job({
    input: z.object({ companyId: z.int() }),
    follows: true,
    parallel: 4,
    stopsAtOnce: true,
    run: (deps, { companyId }, { signal }) => deliverEvents(deps, companyId, subscribers, signal),
  }),
  /** Whatever was lost on the way, a command without a queue included, is made up for. */
  'events.sweep': job({
    input: z.object({}),
    cron: '*/5 * * * *',
    atStart: true,
    policy: { retryLimit: 0, deleteAfterSeconds: 3600 },
    async run({ db }) {
      for (const companyId of await laggards(db, subscribers)) await wake(db, companyId)
    },
  }),
}
