import { effects } from '@voisol/contract/effects'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { previewChange, previewFile } from './effects.ts'

export function effectRoutes(app: FastifyInstance) {
  route(app, effects.preview, ({ body }, ctx) => previewChange(ctx, body))
  route(app, effects.previewFile, ({ query, upload }, ctx) => previewFile(ctx, query, upload))
}
