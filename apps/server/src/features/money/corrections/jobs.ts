import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { reviewIssuedMonths } from './look.ts'
import { enqueueMonthReviews, reviewChangedMonths } from './news.ts'

const ChangedDaysInput = z.object({
  companyId: z.int(),
  operationId: z.uuid(),
  from: z.iso.date(),
  to: z.iso.date().nullable(),
})

export const correctionJobs = {
  /** Something changed under days of an operation: those of its months that were issued are held against it. */
  'corrections.look': defineJob({ input: ChangedDaysInput, follows: true, run: reviewIssuedMonths }),
  'corrections.quantities': defineJob({ input: z.object({}), cron: '*/20 * * * *', run: enqueueMonthReviews }),
  'corrections.news': defineJob({ input: z.object({ companyId: z.int() }), follows: true, run: reviewChangedMonths }),
}
