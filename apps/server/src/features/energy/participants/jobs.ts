import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { runMany } from './many/run-many.ts'

export const participantJobs = {
  'participants.many': job({ input: z.object({ companyId: z.int(), runId: z.uuid() }), run: runMany }),
}
