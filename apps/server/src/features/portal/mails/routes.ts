import { mails } from '@voisol/contract/mails'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { buildMailSample, listMailRows } from './mails.ts'

export function mailsRoutes(app: FastifyInstance) {
  addRoute(app, mails.list, async () => ({ items: listMailRows() }))
  addRoute(app, mails.sample, ({ query }, ctx) => buildMailSample(ctx, ctx.actor, query.kind))
}
