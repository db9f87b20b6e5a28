import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { keepSums } from './keep-sums.ts'
import { keepLateSums } from './late-sums.ts'

export const energyJobs = {
  'energy.sums': job({
    stopsAtOnce: true,
    input: z.object({ companyId: z.int() }),
    run: ({ db }, { companyId }, { signal }) => keepSums(db, companyId, signal),
  }),
  /** What a server that stopped, or an earlier version, left to be summed. */
  'energy.late-sums': job({
    stopsAtOnce: true,
    input: z.object({}),
    cron: '*/15 * * * *',
    atStart: true,
    run: ({ db }, _, { signal }) => keepLateSums(db, signal),
  }),
}
