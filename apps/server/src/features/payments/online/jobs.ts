import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { closePaidCheckout } from './checkout.ts'
import { pollProviders } from './process-notice.ts'

export const onlineJobs = {
  'online.close': defineJob({
    input: z.object({ companyId: z.int(), id: z.uuid() }),
    run: (deps, input) => closePaidCheckout(deps, input),
  }),
  'online.ask': defineJob({ input: z.object({}), cron: '25 3 * * *', run: (deps) => pollProviders(deps) }),
}
