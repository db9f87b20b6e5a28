import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getRoutePattern } from '../http/logging.ts'
import { type Purpose, runWithPurpose } from './purpose.ts'
import { parseTraceParent } from './span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    purpose: Purpose | undefined
  }
}

function createPurpose(request: FastifyRequest): Purpose {
  const { telemetry, config } = request.server.deps
  const endpoint = `${request.method} ${getRoutePattern(request)}`
  // Only a relay that is known says to which trace a call belongs.
  const parent = config.TRUST_PROXY === '' ? undefined : parseTraceParent(request.headers.traceparent)
  return {
    requestId: request.id,
    endpoint,
    company: () => request.actor?.companyId,
    span: telemetry?.begin({ name: endpoint, kind: 'server', parent }),
  }
}

const buildResponseAttributes = (request: FastifyRequest, reply: FastifyReply) => ({
  'http.request.method': request.method,
  'http.route': getRoutePattern(request),
  'http.response.status_code': reply.statusCode,
  'voisol.request_id': request.id,
  'voisol.company_id': request.purpose?.company(),
})

/** All that a call does is done for it. */
export function registerPurposes(app: FastifyInstance) {
  app.decorateRequest('purpose', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.purpose = createPurpose(request)
    runWithPurpose(request.purpose, done)
  })
  // What arrives with the body is told by its connection, which serves many calls.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.purpose) runWithPurpose(request.purpose, done)
    else done()
  })
  app.addHook('onResponse', async (request, reply) => {
    request.purpose?.span?.end(buildResponseAttributes(request, reply), reply.statusCode >= 500)
  })
}
