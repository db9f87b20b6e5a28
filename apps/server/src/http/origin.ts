import type { FastifyRequest } from 'fastify'

/** Where this installation is read: as its operator said, else as the visitor wrote it. */
export function getRequestOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  const given = publicUrl ?? `${request.protocol}://${request.host}`
  return URL.canParse(given) ? new URL(given).origin : 'http://localhost'
}
