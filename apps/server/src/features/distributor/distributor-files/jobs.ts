import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { decodeFile } from './decode-file.ts'
import { watchFolders } from './folder.ts'

const HOURS = 3600

export const distributorFileJobs = {
  'files.decode': job({
    input: z.object({ companyId: z.int(), fileId: z.uuid(), userId: z.uuid().nullish(), keyId: z.uuid().optional() }),
    stopsAtOnce: true,
    policy: { expireInSeconds: 3 * HOURS },
    async run(deps, file, { signal }) {
      await decodeFile(deps, file, signal)
      await watchFolders(deps, signal)
    },
  }),
  'files.watch': job({
    input: z.object({}),
    cron: '* * * * *',
    run: (deps, _, { signal }) => watchFolders(deps, signal),
  }),
}
