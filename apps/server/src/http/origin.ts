import type { FastifyRequest } from 'fastify'

/** The public origin of this installation: configured by the operator, else that of the request. */
export function getRequestOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  const given = publicUrl ?? `${request.protocol}://${request.host}`
  return URL.canParse(given) ? new URL(given).origin : 'http://localhost'
}
