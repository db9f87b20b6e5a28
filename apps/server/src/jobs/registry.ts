import type { z } from 'zod'
import { allocationJobs } from '../features/allocations/jobs.ts'
import { authJobs } from '../features/auth/jobs.ts'
import { contentJobs } from '../features/content/jobs.ts'
import { curveJobs } from '../features/curves/jobs.ts'
import { demoJobs } from '../features/demo/jobs.ts'
import { distributorFileJobs } from '../features/distributor-files/jobs.ts'
import { documentJobs } from '../features/documents/jobs.ts'
import { mailJobs } from '../features/mail/jobs.ts'
import { statusJobs } from '../features/status/jobs.ts'
import { syncJobs } from '../features/sync/jobs.ts'
import { tidyJobs } from '../features/tidy/jobs.ts'
import { webhookJobs } from '../features/webhooks/jobs.ts'
import { heartbeatJobs } from './heartbeat.ts'

/** The table of jobs: everything that runs later or on a clock. */
export const jobs = {
  ...allocationJobs,
  ...authJobs,
  ...contentJobs,
  ...curveJobs,
  ...demoJobs,
  ...distributorFileJobs,
  ...documentJobs,
  ...heartbeatJobs,
  ...mailJobs,
  ...statusJobs,
  ...syncJobs,
  ...tidyJobs,
  ...webhookJobs,
}

export type JobName = keyof typeof jobs
export type JobInputs = { [N in JobName]: z.input<(typeof jobs)[N]['input']> }
