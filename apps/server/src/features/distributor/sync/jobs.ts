import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { planDaily, wakeCredentials } from './plan.ts'
import { runCredential } from './run.ts'
import { tellEveryExpiry } from './warnings.ts'

const none = z.object({})
const input = z.object({ companyId: z.int(), credentialId: z.uuid() })

export const syncJobs = {
  'sync.run': job({
    follows: true,
    input,
    parallel: 4,
    stopsAtOnce: true,
    policy: { expireInSeconds: 4 * 3600 },
    run: (deps, run, { signal }) => runCredential(deps, run, { signal }),
  }),
  'sync.plan': job({ input: none, cron: '*/10 * * * *', run: (deps) => planDaily(deps) }),
  /** After the night, of every company: an agreement ends whether or not the distributor is asked for anything. */
  'sync.expiries': job({ input: none, cron: '15 8 * * *', run: (deps) => tellEveryExpiry(deps) }),
  'sync.wake': job({ input: none, cron: '* * * * *', atStart: true, run: (deps) => wakeCredentials(deps) }),
}
