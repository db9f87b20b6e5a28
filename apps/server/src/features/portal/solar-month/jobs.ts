import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { enqueueSolarMonths, notifySolarMonth } from './notify-solar-month.ts'

export const solarMonthJobs = {
  'solar-month.due': defineJob({ input: z.object({}), cron: '40 9 * * *', run: enqueueSolarMonths }),
  'solar-month.tell': defineJob({
    input: z.object({ companyId: z.int(), month: z.iso.date() }),
    stopsAtOnce: true,
    policy: { expireInSeconds: 3600 },
    run: (deps, work, { signal }) => notifySolarMonth(deps, work, signal),
  }),
}
