import { onboarding } from '@voisol/contract/onboarding'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { loadExampleInfo, removeExample, startExample } from './example-company.ts'
import { loadOnboardingProgress } from './onboarding-steps.ts'
import { buildSampleFile } from './sample-files.ts'

export function onboardingRoutes(app: FastifyInstance) {
  addRoute(app, onboarding.get, async (_, { db, actor }) => ({
    ...(await loadOnboardingProgress(db, actor)),
    ...(await loadExampleInfo(db, actor)),
  }))
  addRoute(app, onboarding.sample, async ({ query }) => buildSampleFile(query.name, getToday()))
  addRoute(app, onboarding.startExample, async (_, { db, actor, note }) => {
    const { id, name } = await startExample(db, actor)
    note({ target: name })
    return { companyId: id }
  })
  addRoute(app, onboarding.removeExample, async (_, { db, actor, note }) => {
    const { name } = await removeExample(db, actor)
    note({ target: name })
    return { success: true as const }
  })
}
