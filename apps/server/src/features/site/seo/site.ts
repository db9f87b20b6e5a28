import type { FastifyInstance } from 'fastify'
import type { Site } from '../../../http/site.ts'
import { createHits } from './hits.ts'
import { createSiteState } from './site-state.ts'

export function openSite(app: FastifyInstance): Site {
  const hits = createHits(app.deps)
  app.addHook('onClose', () => hits.flush())
  return { current: createSiteState(app.deps.db), count: hits.count }
}
