import { z } from 'zod'
import { isExampleCompany } from '../../../core/company-state.ts'
import { transaction } from '../../../db/client.ts'
import { defineJob } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { fillExample } from '../demo/index.ts'
import { eraseExample } from './example-company.ts'

export const onboardingJobs = {
  'onboarding.fill': defineJob({
    input: z.object({ companyId: z.int() }),
    stopsAtOnce: true,
    async run(deps, { companyId }, { signal }) {
      if (!(await isExampleCompany(deps.db, companyId))) return
      try {
        await fillExample(deps, { companyId, today: getToday(), signal })
      } catch (error) {
        // The example was removed while it was being filled, so that the error does not matter.
        if (await isExampleCompany(deps.db, companyId)) throw error
      }
    },
  }),
  // Removes what a running job still wrote while the example was being deleted.
  'onboarding.sweep': defineJob({
    input: z.object({ companyId: z.int(), contents: z.array(z.string()) }),
    async run({ db, files }, { companyId, contents }) {
      await transaction(db, (tx) => eraseExample(tx, companyId))
      for (const key of new Set([...contents, ...(await files.list(String(companyId)))])) await files.remove(key)
    },
  }),
}
