import { randomBytes } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError, sendProblem, toAppError } from './errors.ts'
import { findNullCharacterError } from './request-bodies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The CSP nonce of this page's own scripts. */
    nonce: string
  }
}

/**
 * Text becomes markup or script only through the two Trusted Types policies of the pages
 * (`apps/web/src/lib/trusted-types.ts`).
 */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types default mail-preview"

const buildContentSecurityPolicy = (nonce: string, collector: string) =>
  [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'${collector}`,
    // A document is previewed in the page, from its own address.
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    TRUSTED_TYPES,
  ].join('; ')

/**
 * Headers of a PDF displayed by our own pages: the usual policy forbids the browser's PDF viewer, and a sandbox would
 * leave the frame empty. Neither a PDF nor an error message runs scripts.
 */
export const FRAMEABLE_HEADERS = {
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy': "frame-ancestors 'self'",
}

/** The same headers on every answer: pages, data, files and errors. */
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
  // The default for every address: the route that answers may allow caching.
  reply.header('cache-control', 'no-store')
  request.nonce = randomBytes(16).toString('base64')
  reply.header(
    'content-security-policy',
    buildContentSecurityPolicy(request.nonce, ANALYTICS_URL ? ` ${new URL(ANALYTICS_URL).origin}` : ''),
  )
}

/**
 * For the API reference only, whose third-party script writes markup itself, so that Trusted Types would stop it. The
 * sandbox gives the page an origin of its own: it reads neither the storage nor the cookies that hold a session, and no
 * answer of the API. What it shows is therefore in the page.
 */
export function sandboxPage(request: FastifyRequest, reply: FastifyReply) {
  reply.header(
    'content-security-policy',
    [
      `default-src 'none'`,
      `script-src 'self' 'nonce-${request.nonce}'`,
      `style-src 'self' 'unsafe-inline'`,
      `img-src data: blob:`,
      `object-src 'none'`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
      'sandbox allow-scripts allow-popups allow-downloads',
    ].join('; '),
  )
}

export async function registerSecurityHeaders(app: FastifyInstance) {
  app.decorateRequest('nonce', '')
  app.addHook('onRequest', async (request, reply) => {
    setSecurityHeaders(request, reply, app.deps.config)
    const refusal = findNullCharacterError(request.url.split('?', 2)[1] ?? '', '%00')
    if (refusal) throw refusal
  })
}

/** Errors of the router itself, such as an undecodable address, bypass the hooks. */
export const createRouterErrorHandler =
  (config: Config) => (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    setSecurityHeaders(request, reply, config)
    sendProblem(request, reply, toAppError(error) ?? new AppError('malformed'))
  }
