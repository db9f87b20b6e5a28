import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { enqueueMonthReviews, reviewChangedMonths, reviewIssuedMonths } from './review-months.ts'

const ChangedDaysInput = z.object({
  companyId: z.int(),
  operationId: z.uuid(),
  from: z.iso.date(),
  to: z.iso.date().nullable(),
})

export const correctionJobs = {
  /** When days of an operation change, its issued months that include them are reviewed. */
  'corrections.look': defineJob({ input: ChangedDaysInput, follows: true, run: reviewIssuedMonths }),
  'corrections.quantities': defineJob({ input: z.object({}), cron: '*/20 * * * *', run: enqueueMonthReviews }),
  'corrections.news': defineJob({ input: z.object({ companyId: z.int() }), follows: true, run: reviewChangedMonths }),
}
