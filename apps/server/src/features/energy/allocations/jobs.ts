import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { tellStale } from './notices.ts'
import { refreshAll, refreshMonth } from './refresh.ts'
import { executeRun } from './run.ts'

const companyId = z.int()

export const allocationJobs = {
  'allocations.run': job({
    input: z.object({ companyId, runId: z.uuid() }),
    run: (deps, ids, { signal }) => executeRun(deps, ids, signal),
  }),
  'allocations.refresh': job({
    follows: true,
    input: z.object({ companyId, operationId: z.uuid(), month: z.iso.date() }),
    run: ({ db }, month) => refreshMonth(db, month),
  }),
  'allocations.nightly': job({
    input: z.object({}),
    cron: '40 4 * * *',
    run: ({ db }) => refreshAll(db),
  }),
  'allocations.stale': job({
    input: z.object({ companyId, runIds: z.array(z.uuid()) }),
    run: (deps, input) => tellStale(deps, input.companyId, input.runIds),
  }),
}
