import { onboarding } from '@voisol/contract/onboarding'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { today } from '../../../today.ts'
import { exampleFacts, removeExample, startExample } from './example.ts'
import { sampleOf } from './samples.ts'
import { wayOf } from './steps.ts'

export function onboardingRoutes(app: FastifyInstance) {
  route(app, onboarding.get, async (_, { db, actor }) => ({
    ...(await wayOf(db, actor)),
    ...(await exampleFacts(db, actor)),
  }))
  route(app, onboarding.sample, async ({ query }) => sampleOf(query.name, today()))
  route(app, onboarding.startExample, async (_, { db, actor, note }) => {
    const { id, name } = await startExample(db, actor)
    note({ target: name })
    return { companyId: id }
  })
  route(app, onboarding.removeExample, async (_, { db, actor, note }) => {
    const { name } = await removeExample(db, actor)
    note({ target: name })
    return { success: true as const }
  })
}
