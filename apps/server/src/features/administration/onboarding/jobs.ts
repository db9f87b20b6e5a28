import { z } from 'zod'
import { isExample } from '../../../core/example.ts'
import { transaction } from '../../../db/client.ts'
import { job } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { fillExample } from '../demo/demo.ts'
import { eraseExample } from './erase-example.ts'

export const onboardingJobs = {
  'onboarding.fill': job({
    input: z.object({ companyId: z.int() }),
    stopsAtOnce: true,
    async run(deps, { companyId }, { signal }) {
      if (!(await isExample(deps.db, companyId))) return
      try {
        await fillExample(deps, { companyId, today: today(), signal })
      } catch (error) {
        // Removed while it was made: there is nothing left to fill.
        if (await isExample(deps.db, companyId)) throw error
      }
    },
  }),
  // What was on its way into an example when it went.
  'onboarding.sweep': job({
    input: z.object({ companyId: z.int(), contents: z.array(z.string()) }),
    async run({ db, files }, { companyId, contents }) {
      await transaction(db, (tx) => eraseExample(tx, companyId))
      for (const key of new Set([...contents, ...(await files.list(String(companyId)))])) await files.remove(key)
    },
  }),
}
