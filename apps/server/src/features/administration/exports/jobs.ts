import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { expireExports, runExport } from './run.ts'

export const exportJobs = {
  'exports.run': job({
    input: z.object({ companyId: z.int(), id: z.uuid() }),
    parallel: 2,
    stopsAtOnce: true,
    policy: { retryLimit: 5, expireInSeconds: 6 * 3600 },
    run: runExport,
  }),
  'exports.expire': job({ input: z.object({}), cron: '41 * * * *', policy: { retryLimit: 0 }, run: expireExports }),
}
