import { mails } from '@voisol/contract/mails'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { mailRows, sampleOf } from './mails.ts'

export function mailsRoutes(app: FastifyInstance) {
  route(app, mails.list, async () => ({ items: mailRows() }))
  route(app, mails.sample, ({ query }, ctx) => sampleOf(ctx, ctx.actor, query.kind))
}
