import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getRoutePattern } from '../http/logging.ts'
import { type Purpose, runWithPurpose } from './purpose.ts'
import { parseTraceParent } from './tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    purpose: Purpose | undefined
  }
}

function createPurpose(request: FastifyRequest): Purpose {
  const { telemetry, config } = request.server.deps
  const endpoint = `${request.method} ${getRoutePattern(request)}`
  // Only a trusted proxy may set the trace of a call.
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

/** Runs everything in a call with its purpose. */
export function registerPurposes(app: FastifyInstance) {
  app.decorateRequest('purpose', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.purpose = createPurpose(request)
    runWithPurpose(request.purpose, done)
  })
  // A body is received in the context of the connection, which serves many calls.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.purpose) runWithPurpose(request.purpose, done)
    else done()
  })
  app.addHook('onResponse', async (request, reply) => {
    request.purpose?.span?.end(buildResponseAttributes(request, reply), reply.statusCode >= 500)
  })
}
