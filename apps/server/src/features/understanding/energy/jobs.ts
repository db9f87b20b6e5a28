import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { isFollowed } from '../../../jobs/queue.ts'
import { keepSums } from './keep-sums.ts'
import { keepLateSums } from './late-sums.ts'

export const energyJobs = {
  'energy.sums': job({
    stopsAtOnce: true,
    input: z.object({ companyId: z.int() }),
    run: async ({ db }, { companyId }, { signal }) => {
      // While changes keep coming the last of them has it done; until then marked days are read as they are.
      if (!(await isFollowed(db, 'energy.sums', companyId))) await keepSums(db, companyId, signal)
    },
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
