import type { FastifyInstance, FastifyRequest } from 'fastify'
import { transaction } from '../../../db/client.ts'
import { networkOf } from '../../../http/network.ts'
import { throttle } from '../../../http/throttle.ts'
import { leave } from './leave.ts'

const FORM = 'application/x-www-form-urlencoded'
const MOST_BYTES = 1000
const PER_HOUR = 300
const keyIn = ({ params }: FastifyRequest) => (params as { key: string }).key // it stands in the address

/**
 * One click in a mail program (RFC 8058): it posts a form of its own, without a page, a cookie or a session. The signed key
 * is all it brings. Opened as a link it leads to the preferences.
 */
export function registerLeave(app: FastifyInstance) {
  app.register(async (door) => {
    door.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
    door.post('/api/notifications/unsubscribe/:key', { bodyLimit: MOST_BYTES }, async (request, reply) => {
      const { deps } = app
      await throttle(deps.aside, `unsubscribe ${networkOf(request.ip)}`, PER_HOUR, 3600)
      await transaction(deps.db, (tx) => leave(tx, deps.secrets, keyIn(request)))
      return reply.code(200).type('text/plain; charset=utf-8').send('Vous ne recevrez plus ces messages.')
    })
    door.get('/api/notifications/unsubscribe/:key', async (_, reply) =>
      reply.redirect('/client-portal/notifications', 303),
    )
  })
}
