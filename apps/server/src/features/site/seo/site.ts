import type { FastifyInstance } from 'fastify'
import type { SiteStateProvider } from '../../../http/site.ts'
import { createHitCounter } from './hits.ts'
import { createSiteState } from './site-state.ts'

export function createSite(app: FastifyInstance): SiteStateProvider {
  const hits = createHitCounter(app.deps)
  app.addHook('onClose', () => hits.flush())
  return { current: createSiteState(app.deps.db), count: hits.count }
}
