import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { ship } from './ship.ts'

export const Shipped = z.object({ companyId: z.int(), deliveryId: z.uuid() })

export const flowJobs = {
  'flows.ship': job({ input: Shipped, parallel: 2, run: ship }),
}
