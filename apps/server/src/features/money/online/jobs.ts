import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { askProviders } from './ask.ts'
import { closePaid } from './close.ts'

export const onlineJobs = {
  'online.close': job({
    input: z.object({ companyId: z.int(), id: z.uuid() }),
    run: (deps, input) => closePaid(deps, input),
  }),
  'online.ask': job({ input: z.object({}), cron: '25 3 * * *', run: (deps) => askProviders(deps) }),
}
