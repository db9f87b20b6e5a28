import type { FastifyInstance, FastifyRequest } from 'fastify'
import { transaction } from '../../../db/client.ts'
import { networkOf } from '../../../http/network.ts'
import { throttle } from '../../../http/throttle.ts'
import { leaveAtOnce } from './subscriptions.ts'

const FORM = 'application/x-www-form-urlencoded'
const MOST_BYTES = 1000
const keyIn = ({ params }: FastifyRequest) => (params as { key: string }).key // it stands in the address
const PER_HOUR = 300

/**
 * One click in a mail program (RFC 8058): it posts a form of its own, without a page, a cookie or a session. The signed key
 * is all it brings, and leaving is all it does. Opened as a link it leads to the page.
 */
export function registerUnsubscribe(app: FastifyInstance) {
  app.register(async (door) => {
    door.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MOST_BYTES }, (_, body, done) => done(null, body))
    door.post('/api/status/unsubscribe/:key', { bodyLimit: MOST_BYTES }, async (request, reply) => {
      const { deps } = app
      await throttle(deps.aside, `unsubscribe ${networkOf(request.ip)}`, PER_HOUR, 3600)
      await transaction(deps.db, (tx) => leaveAtOnce({ ...deps, db: tx }, keyIn(request)))
      return reply.code(200).type('text/plain; charset=utf-8').send('Désabonnement enregistré.')
    })
    door.get('/api/status/unsubscribe/:key', async (request, reply) =>
      reply.redirect(`/status?cle=${encodeURIComponent(keyIn(request))}#abonnement`, 303),
    )
  })
}
