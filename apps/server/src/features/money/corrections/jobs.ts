import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { look } from './look.ts'
import { lookAtNews, lookForNews } from './news.ts'

const News = z.object({ companyId: z.int(), operationId: z.uuid(), from: z.iso.date(), to: z.iso.date().nullable() })

export const correctionJobs = {
  /** Something changed under days of an operation: those of its months that were issued are held against it. */
  'corrections.look': job({ input: News, follows: true, run: look }),
  'corrections.quantities': job({ input: z.object({}), cron: '*/20 * * * *', run: lookForNews }),
  'corrections.news': job({ input: z.object({ companyId: z.int() }), follows: true, run: lookAtNews }),
}
