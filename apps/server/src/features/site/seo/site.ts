import type { FastifyInstance } from 'fastify'
import { createHits } from './hits.ts'
import { createSiteState } from './site-state.ts'

/** What the rendering of the public pages asks of those who keep the site. */
export function openSite(app: FastifyInstance) {
  const hits = createHits(app.deps)
  app.addHook('onClose', () => hits.flush())
  return { current: createSiteState(app.deps.db), count: hits.count }
}
export type Site = ReturnType<typeof openSite>
