import { z } from 'zod'
import { defineJob } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { requestFirstCopy } from '../backups/index.ts'
import { startDistributorSync, waitForAnswers } from './ask-distributor.ts'
import { fillSubscriptions } from './fill-administration.ts'
import { fillDemo, findDemoCompany, loadFirstAdmin, settleAllCorrections } from './fill-demo.ts'

export const demoJobs = {
  // Adds yesterday's data every morning, before runs are computed; a server start makes up for missed days.
  'demo.fill': defineJob({
    input: z.object({}),
    cron: '15 4 * * *',
    atStart: true,
    stopsAtOnce: true,
    run: async (deps, _input, { signal }) => {
      const companyId = deps.config.demo ? await findDemoCompany(deps.db) : undefined
      if (companyId === undefined) return
      const from = performance.now()
      const { days, runs } = await fillDemo(deps, { companyId, today: getToday(), signal })
      if (deps.config.subscriptions) await fillSubscriptions(deps.db, companyId, getToday())
      const seconds = Math.round((performance.now() - from) / 100) / 10
      if (days || runs) deps.log.info({ days, runs, seconds }, 'demo filled')
      const { userId: createdBy } = await loadFirstAdmin(deps.db, companyId)
      const started = await startDistributorSync(deps, { companyId, today: getToday(), createdBy })
      await requestFirstCopy(deps, 'Voisol')
      if (!started) return
      await waitForAnswers(deps, companyId, signal)
      await settleAllCorrections(deps, companyId)
    },
  }),
}
