import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { deliver } from './deliver.ts'

export const webhookJobs = {
  'webhooks.deliver': job({
    input: z.object({ companyId: z.int(), deliveryId: z.uuid() }),
    parallel: 4,
    run: deliver,
  }),
}
