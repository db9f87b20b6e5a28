import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { recordAllExpiries } from './expiry-warnings.ts'
import { enqueueDueRuns, planDailySync } from './plan-sync.ts'
import { runSyncOfCredential } from './run-sync.ts'

const NO_INPUT = z.object({})
const RUN_INPUT = z.object({ companyId: z.int(), credentialId: z.uuid() })

export const syncJobs = {
  'sync.run': defineJob({
    follows: true,
    input: RUN_INPUT,
    parallel: 4,
    stopsAtOnce: true,
    policy: { expireInSeconds: 4 * 3600 },
    run: (deps, run, { signal }) => runSyncOfCredential(deps, run, { signal }),
  }),
  'sync.plan': defineJob({ input: NO_INPUT, cron: '*/10 * * * *', run: (deps) => planDailySync(deps) }),
  /** Runs every morning for every company: an access can end whether or not a sync is configured. */
  'sync.expiries': defineJob({ input: NO_INPUT, cron: '15 8 * * *', run: (deps) => recordAllExpiries(deps) }),
  'sync.wake': defineJob({ input: NO_INPUT, cron: '* * * * *', atStart: true, run: (deps) => enqueueDueRuns(deps) }),
}
