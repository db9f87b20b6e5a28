import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { readUploadedFile } from './import-read.ts'
import { storeImport } from './import-store.ts'

const importJobInput = z.object({ companyId: z.int(), importId: z.uuid() })

export const curveJobs = {
  // A file that takes long does not hold up the next one.
  'curves.read': defineJob({ input: importJobInput, parallel: 2, run: readUploadedFile }),
  // In the name of whoever confirmed it.
  'curves.store': defineJob({
    input: importJobInput.extend({ userId: z.uuid().optional(), keyId: z.uuid().optional() }),
    run: storeImport,
  }),
}
