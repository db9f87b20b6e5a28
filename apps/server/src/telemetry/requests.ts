import type { FastifyInstance, FastifyRequest } from 'fastify'
import { routeOf } from '../http/logging.ts'
import { during, type Purpose } from './purpose.ts'

declare module 'fastify' {
  interface FastifyRequest {
    purpose: Purpose | undefined
  }
}

const purposeOf = (request: FastifyRequest): Purpose => ({
  requestId: request.id,
  endpoint: `${request.method} ${routeOf(request)}`,
  company: () => request.actor?.companyId,
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
}
