import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { tellMonth, tellMonths } from './tell.ts'

export const solarMonthJobs = {
  'solar-month.due': job({ input: z.object({}), cron: '40 9 * * *', run: tellMonths }),
  'solar-month.tell': job({
    input: z.object({ companyId: z.int(), month: z.iso.date() }),
    stopsAtOnce: true,
    policy: { expireInSeconds: 3600 },
    run: (deps, work, { signal }) => tellMonth(deps, work, signal),
  }),
}
