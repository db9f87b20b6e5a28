import { defineJob } from '../../../jobs/job.ts'
import { ShipJobInput, shipDelivery } from './flow-deliveries.ts'

export const flowJobs = {
  'flows.ship': defineJob({ input: ShipJobInput, parallel: 2, run: shipDelivery }),
}
