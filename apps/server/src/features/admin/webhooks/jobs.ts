import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { sendWebhookDelivery } from './webhook-deliveries.ts'

export const webhookJobs = {
  'webhooks.deliver': defineJob({
    input: z.object({ companyId: z.int(), deliveryId: z.uuid() }),
    parallel: 4,
    run: sendWebhookDelivery,
  }),
}
