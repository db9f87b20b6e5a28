import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { askFirstCopy } from '../backups/backups.ts'
import { firstAdmin } from './actor.ts'
import { answersCome, askDistributor } from './ask-distributor.ts'
import { demoCompany, fillDemo, settleAll } from './fill.ts'
import { fillSubscriptions } from './fill-subscriptions.ts'

export const demoJobs = {
  // Every morning yesterday is added, before figures are made anew; a start makes up for the days it slept.
  'demo.fill': job({
    input: z.object({}),
    cron: '15 4 * * *',
    atStart: true,
    stopsAtOnce: true,
    run: async (deps, _input, { signal }) => {
      const companyId = deps.config.demo ? await demoCompany(deps.db) : undefined
      if (companyId === undefined) return
      const from = performance.now()
      const { days, runs } = await fillDemo(deps, { companyId, today: today(), signal })
      if (deps.config.subscriptions) await fillSubscriptions(deps.db, companyId, today())
      const seconds = Math.round((performance.now() - from) / 100) / 10
      if (days || runs) deps.log.info({ days, runs, seconds }, 'demo filled')
      const { userId: createdBy } = await firstAdmin(deps.db, companyId)
      const asked = await askDistributor(deps, { companyId, today: today(), createdBy })
      await askFirstCopy(deps, 'Voisol')
      if (!asked) return
      await answersCome(deps, companyId, signal)
      await settleAll(deps, companyId)
    },
  }),
}
