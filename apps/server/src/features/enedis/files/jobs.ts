import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { collectDeposits } from './collect-folder.ts'
import { decodeFile } from './decode-file.ts'

const HOUR_SECONDS = 3600

export const distributorFileJobs = {
  'files.decode': defineJob({
    input: z.object({ companyId: z.int(), fileId: z.uuid(), userId: z.uuid().nullish(), keyId: z.uuid().optional() }),
    stopsAtOnce: true,
    policy: { expireInSeconds: 3 * HOUR_SECONDS },
    async run(deps, file, { signal }) {
      await decodeFile(deps, file, signal)
      await collectDeposits(deps, signal)
    },
  }),
  'files.watch': defineJob({
    input: z.object({}),
    cron: '* * * * *',
    run: (deps, _, { signal }) => collectDeposits(deps, signal),
  }),
}
