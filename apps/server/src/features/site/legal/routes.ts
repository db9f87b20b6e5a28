import { legal } from '@voisol/contract/legal'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { getNotice, readNotice, saveNotice } from './legal.ts'

export function legalRoutes(app: FastifyInstance) {
  route(app, legal.read, (_, ctx) => readNotice(ctx))

  route(app, legal.get, (_, { db }) => getNotice(db))

  route(app, legal.save, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveNotice(db, actor.email, body)
    note({ target: 'Mentions légales', detail: { before, after: after.notice } })
    return after
  })
}
