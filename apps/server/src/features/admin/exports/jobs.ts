import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { expireExports, runExport } from './run-export.ts'

export const exportJobs = {
  'exports.run': defineJob({
    input: z.object({ companyId: z.int(), id: z.uuid() }),
    parallel: 2,
    stopsAtOnce: true,
    policy: { retryLimit: 5, expireInSeconds: 6 * 3600 },
    run: runExport,
  }),
  'exports.expire': defineJob({
    input: z.object({}),
    cron: '41 * * * *',
    policy: { retryLimit: 0 },
    run: expireExports,
  }),
}
