import { z } from 'zod'
import { eraseUnreferencedContent } from '../../../core/stored-files.ts'
import { defineJob } from '../../../jobs/job.ts'

export const documentJobs = {
  /** Runs after the commit that removed a document: content erased before could not be restored on rollback. */
  'documents.erase': defineJob({
    input: z.object({ companyId: z.int(), sha256: z.string() }),
    run: ({ db, files }, { companyId, sha256 }) => eraseUnreferencedContent(db, files, companyId, sha256),
  }),
}
