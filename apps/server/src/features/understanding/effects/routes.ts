import { effects } from '@voisol/contract/effects'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { previewChange } from './effects.ts'

export function effectRoutes(app: FastifyInstance) {
  route(app, effects.preview, ({ body }, ctx) => previewChange(ctx, body))
}
