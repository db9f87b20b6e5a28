import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { readUploadedFile } from './read-import-file.ts'
import { storeImport } from './store-import.ts'

const importJobInput = z.object({ companyId: z.int(), importId: z.uuid() })

export const curveJobs = {
  // Two in parallel, so that a slow file does not delay the next one.
  'curves.read': defineJob({ input: importJobInput, parallel: 2, run: readUploadedFile }),
  // On behalf of the person who confirmed it.
  'curves.store': defineJob({
    input: importJobInput.extend({ userId: z.uuid().optional(), keyId: z.uuid().optional() }),
    run: storeImport,
  }),
}
