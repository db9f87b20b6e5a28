import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { executeBulkRun } from './bulk-actions.ts'

export const participantJobs = {
  'participants.many': defineJob({ input: z.object({ companyId: z.int(), runId: z.uuid() }), run: executeBulkRun }),
}
