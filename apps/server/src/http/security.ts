import { randomBytes } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError, sendProblem, toAppError } from './errors.ts'
import { findNullCharacterError } from './null-character.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Marks the scripts that this page wrote itself. */
    nonce: string
  }
}

/** No text becomes markup or a program but through the two policies of the pages (`apps/web/src/lib/trusted-types.ts`). */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types default mail-preview"

const buildContentSecurityPolicy = (nonce: string, collector: string) =>
  [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'${collector}`,
    // A paper is shown in the page before it is kept, from its own address.
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    TRUSTED_TYPES,
  ].join('; ')

/**
 * Of a PDF that one of our own pages shows: the policy of a page forbids what a browser draws a PDF with, and a sandbox
 * would leave the frame empty too. Neither a PDF nor the words of a refusal run scripts.
 */
export const FRAMEABLE_HEADERS = {
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy': "frame-ancestors 'self'",
}

/** The same headers on every answer, pages, data, files and errors alike. */
function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, { production, ANALYTICS_URL }: Config) {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'cross-origin-opener-policy': 'same-origin',
    'x-request-id': request.id,
  })
  if (production) reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
  // Whatever the address looks like: what may be kept is said by the route that answers.
  reply.header('cache-control', 'no-store')
  request.nonce = randomBytes(16).toString('base64')
  reply.header(
    'content-security-policy',
    buildContentSecurityPolicy(request.nonce, ANALYTICS_URL ? ` ${new URL(ANALYTICS_URL).origin}` : ''),
  )
}

/**
 * For the one page whose program is another's and writes markup by itself: the reference of the API, which shows no
 * company's data and is given no session.
 */
export function allowUntrustedTypes(reply: FastifyReply) {
  const given = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', given.replace(`; ${TRUSTED_TYPES}`, ''))
}

export async function registerSecurityHeaders(app: FastifyInstance) {
  app.decorateRequest('nonce', '')
  app.addHook('onRequest', async (request, reply) => {
    setSecurityHeaders(request, reply, app.deps.config)
    const refusal = findNullCharacterError(request.url.split('?', 2)[1] ?? '', '%00')
    if (refusal) throw refusal
  })
}

/** What the router itself refuses, such as an address that cannot be decoded, passes by no hook. */
export const createRouterErrorHandler =
  (config: Config) => (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    setSecurityHeaders(request, reply, config)
    sendProblem(request, reply, toAppError(error) ?? new AppError('malformed'))
  }
