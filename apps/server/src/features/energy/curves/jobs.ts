import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { readImport } from './import-read.ts'
import { storeImport } from './import-store.ts'

const input = z.object({ companyId: z.int(), importId: z.uuid() })

export const curveJobs = {
  // A file that takes long does not hold up the next one.
  'curves.read': job({ input, parallel: 2, run: readImport }),
  // In the name of whoever confirmed it.
  'curves.store': job({
    input: input.extend({ userId: z.uuid().optional(), keyId: z.uuid().optional() }),
    run: storeImport,
  }),
}
