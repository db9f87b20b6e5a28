import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import { RELEASE } from '../version.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Fourteen digits in a row are a delivery point number, which identifies a home. */
const PRM = /(?<!\d)\d{10}(\d{4})(?!\d)/g

const maskPrm = (text: string) => text.replace(PRM, '**********$1')
/** A masked number becomes a string, so that the line stays valid JSON. */
const maskLine = (line: string) => maskPrm(line.replace(/(?<=[^\\]":)\d{14}(?=[,}])/g, '"$&"'))

const isToken = (segment: string) => segment.length >= 20 && /[A-Z0-9]/.test(segment) && !UUID.test(segment)

/** The path without credentials: neither the query string nor a token in a link is logged. */
export const maskPath = (url: string) =>
  maskPrm(url.split('?', 1)[0] ?? '')
    .split('/')
    .map((segment) => (isToken(segment) && !/^\*{10}\d{4}$/.test(segment) ? '***' : segment))
    .join('/')

/** The error of a failed query quotes its values, which may be secret or personal. */
const removeQueryValues = (text: string) => text.replace(/\nparams: [\s\S]*?(?=\n\s+at |$)/g, '')

type DescribedError = { type: string; message: string; code?: unknown; stack?: string; cause?: DescribedError }

export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: removeQueryValues(String(error)) }
  return {
    type: error.name,
    message: removeQueryValues(error.message),
    ...('code' in error && { code: error.code }),
    ...(error.stack && { stack: removeQueryValues(error.stack) }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

const ERROR = 50

const OPTIONS: LoggerOptions = {
  name: 'voisol',
  base: { pid: process.pid },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: ['req.headers.authorization', 'req.headers.cookie'],
  // An error is often forwarded alone, without the log line of the start.
  mixin: (_, level) => (level >= ERROR ? { release: RELEASE } : {}),
  serializers: { err: describeError },
  hooks: { streamWrite: maskLine },
}

/** One JSON line per event. */
export const createLogger = (level: string, stream?: DestinationStream) =>
  stream ? pino({ ...OPTIONS, level }, stream) : pino({ ...OPTIONS, level })

/** Fastify would write two lines a request with the whole URL; ours is one, masked. */
export const createLogController = () =>
  new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })

/** Health probes and static files are frequent and uninteresting. */
const isProbeRoute = (route: string) =>
  ['/healthz', '/readyz', '/metrics'].includes(route) || route.startsWith('/assets/')
export const getRoutePattern = (request: FastifyRequest) => request.routeOptions.url ?? 'unmatched'

export function registerLogging(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    const route = getRoutePattern(request)
    const line = {
      method: request.method,
      route,
      path: maskPath(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      userId: request.actor?.userId,
    }
    if (reply.statusCode >= 500) request.log.error(line, 'request')
    else if (isProbeRoute(route)) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
  })
}
