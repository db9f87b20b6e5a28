import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { executeRun, recordRunsInvalidated } from './execute-run.ts'
import { enqueueNightlyRefresh, refreshProvisionalRun } from './refresh-provisional-run.ts'

const companyId = z.int()

export const allocationJobs = {
  'allocations.run': defineJob({
    input: z.object({ companyId, runId: z.uuid() }),
    run: (deps, ids, { signal }) => executeRun(deps, ids, signal),
  }),
  'allocations.refresh': defineJob({
    follows: true,
    input: z.object({ companyId, operationId: z.uuid(), month: z.iso.date() }),
    run: ({ db }, month) => refreshProvisionalRun(db, month),
  }),
  'allocations.nightly': defineJob({
    input: z.object({}),
    cron: '40 4 * * *',
    run: ({ db }) => enqueueNightlyRefresh(db),
  }),
  'allocations.stale': defineJob({
    input: z.object({ companyId, runIds: z.array(z.uuid()) }),
    run: (deps, input) => recordRunsInvalidated(deps, input.companyId, input.runIds),
  }),
}
