import { z } from 'zod'
import { eraseContent } from '../../../core/kept-files.ts'
import { job } from '../../../jobs/job.ts'

export const documentJobs = {
  /** After the commit that removed a document: content erased before it could not come back. */
  'documents.erase': job({
    input: z.object({ companyId: z.int(), sha256: z.string() }),
    run: ({ db, files }, { companyId, sha256 }) => eraseContent(db, files, companyId, sha256),
  }),
}
