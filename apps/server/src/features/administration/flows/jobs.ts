import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { shipDelivery } from './flow-deliveries.ts'

export const ShipJobInput = z.object({ companyId: z.int(), deliveryId: z.uuid() })

export const flowJobs = {
  'flows.ship': defineJob({ input: ShipJobInput, parallel: 2, run: shipDelivery }),
}
