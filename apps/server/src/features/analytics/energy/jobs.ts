import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { refreshRollups, refreshRollupsOfAllCompanies } from './rollup-write.ts'

export const rollupJobs = {
  'energy.sums': defineJob({
    stopsAtOnce: true,
    input: z.object({ companyId: z.int() }),
    run: ({ db }, { companyId }, { signal }) => refreshRollups(db, companyId, signal),
  }),
  /** Rollups left outdated by a stopped server or an earlier version. */
  'energy.late-sums': defineJob({
    stopsAtOnce: true,
    input: z.object({}),
    cron: '*/15 * * * *',
    atStart: true,
    run: ({ db }, _, { signal }) => refreshRollupsOfAllCompanies(db, signal),
  }),
}
