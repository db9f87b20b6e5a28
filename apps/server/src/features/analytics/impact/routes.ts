import { effects } from '@voisol/contract/effects'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { previewChangeImpact, previewFileImpact } from './impact.ts'

export function impactRoutes(app: FastifyInstance) {
  addRoute(app, effects.preview, ({ body }, ctx) => previewChangeImpact(ctx, body))
  addRoute(app, effects.previewFile, ({ query, upload }, ctx) => previewFileImpact(ctx, query, upload))
}
