import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeOf } from '../http/logging.ts'
import { during, type Purpose } from './purpose.ts'
import { readPlace } from './span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    purpose: Purpose | undefined
  }
}

function purposeOf(request: FastifyRequest): Purpose {
  const { telemetry, config } = request.server.deps
  const endpoint = `${request.method} ${routeOf(request)}`
  // Only a relay that is known says to which trace a call belongs.
  const parent = config.TRUST_PROXY === '' ? undefined : readPlace(request.headers.traceparent)
  return {
    requestId: request.id,
    endpoint,
    company: () => request.actor?.companyId,
    span: telemetry?.begin({ name: endpoint, kind: 'server', parent }),
  }
}

const answered = (request: FastifyRequest, reply: FastifyReply) => ({
  'http.request.method': request.method,
  'http.route': routeOf(request),
  'http.response.status_code': reply.statusCode,
  'voisol.request_id': request.id,
  'voisol.company_id': request.purpose?.company(),
})

/** All that a call does is done for it. */
export function registerPurposes(app: FastifyInstance) {
  app.decorateRequest('purpose', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.purpose = purposeOf(request)
    during(request.purpose, done)
  })
  // What arrives with the body is told by its connection, which serves many calls.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.purpose) during(request.purpose, done)
    else done()
  })
  app.addHook('onResponse', async (request, reply) => {
    request.purpose?.span?.end(answered(request, reply), reply.statusCode >= 500)
  })
}
