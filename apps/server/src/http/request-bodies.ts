import type { Readable } from 'node:stream'
import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

const acceptsFile = (config: object) => 'endpoint' in config && Boolean((config.endpoint as Endpoint).upload) // set by route()

/** The signature covers the raw bytes: they are passed on unchanged, and parsed once verified. */
const acceptsRawBytes = (config: object) => 'endpoint' in config && Boolean((config.endpoint as Endpoint).signed) // set by route()

type BodyParserCallback = (error: Error | null, value?: unknown) => void

/** In JSON the null character can only be written this way: the raw text is searched, and never that of a file. */
export const rejectNullCharacters =
  (text: string, done: BodyParserCallback): BodyParserCallback =>
  (error, value) =>
    done(error ?? findNullCharacterError(text, '\\u0000') ?? findJsonLimitError(value), value)

/**
 * JSON, or a file where an endpoint accepts one. An empty body with a JSON content type counts as no body: browsers
 * send that with calls without content.
 */
export function registerBodyParsers(app: FastifyInstance) {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  // Names such as __proto__ are kept, so that the schema refuses them like any unknown field.
  const parse = app.getDefaultJsonParser('ignore', 'ignore')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (acceptsRawBytes(request.routeOptions.config)) return done(null, Buffer.from(body, 'utf8'))
    return body.trim() === '' ? done(null, undefined) : parse(request, body, rejectNullCharacters(body, done))
  })
  app.addContentTypeParser('application/octet-stream', async (request: FastifyRequest, payload: Readable) => {
    const { config, bodyLimit } = request.routeOptions
    if (!acceptsFile(config)) throw new AppError('media-type')
    const announced = request.headers['content-length']
    return readBody(payload, announced === undefined ? undefined : Number(announced), bodyLimit)
  })
}

const INITIAL_BUFFER_BYTES = 1 << 20

/** Reads a body into place as it arrives: concatenating a hundred megabytes at the end would block everybody. */
export async function readBody(payload: Readable, announced: number | undefined, most: number): Promise<Buffer> {
  if (announced !== undefined && announced > most) throw new AppError('too-large')
  let into = Buffer.allocUnsafeSlow(announced ?? Math.min(INITIAL_BUFFER_BYTES, most))
  let length = 0
  for await (const piece of payload as AsyncIterable<Buffer>) {
    if (length + piece.length > most) throw new AppError('too-large')
    if (length + piece.length > into.length)
      into = growBuffer(into, length, Math.min(most, 2 * (length + piece.length)))
    into.set(piece, length)
    length += piece.length
  }
  if (announced !== undefined && length !== announced) throw new AppError('malformed')
  return into.subarray(0, length)
}

function growBuffer(from: Buffer, length: number, size: number): Buffer<ArrayBuffer> {
  const into = Buffer.allocUnsafeSlow(size)
  into.set(from.subarray(0, length))
  return into
}

const MAX_JSON_VALUES = 150_000
const MAX_JSON_LIST_ITEMS = 20_000
const MAX_JSON_DEPTH = 40

/**
 * Every list and field is validated by its schema, which reports each error: beyond these limits validation is not
 * started.
 */
export function findJsonLimitError(body: unknown): AppError | null {
  let values = 0
  let level: unknown[] = [body]
  for (let depth = 0; level.length; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      const inside = Array.isArray(value) ? value : Object.values(value)
      values += inside.length
      if (inside.length > MAX_JSON_LIST_ITEMS || values > MAX_JSON_VALUES || depth >= MAX_JSON_DEPTH)
        return createTooLargeError()
      for (const one of inside) if (typeof one === 'object' && one !== null) next.push(one)
    }
    level = next
  }
  return null
}

const createTooLargeError = () =>
  new AppError('too-large', {
    message: `L’envoi compte trop d’éléments ou trop de niveaux\u00a0: ${MAX_JSON_LIST_ITEMS.toLocaleString('fr-FR')} éléments par liste au plus.`,
  })

/** The null character is refused everywhere, since PostgreSQL cannot store it. */
export const findNullCharacterError = (text: string, mark: '%00' | '\\u0000') =>
  text.includes(mark) ? new AppError('invalid', { message: 'Le caractère nul n’est pas permis.' }) : null

/** Limits after which a silent or very slow connection is closed. */
export const CONNECTION_TIMEOUTS = {
  /** For all headers. */
  headersTimeout: 15_000,
  /** For the largest file. */
  requestTimeout: 900_000,
  /** For silence; longer than any call may take. */
  connectionTimeout: 150_000,
  /** Longer than the keep-alive of load balancers. */
  keepAliveTimeout: 72_000,
  /** How often these limits are checked. */
  connectionsCheckingInterval: 5000,
}
type BodySpeedLimit = { everyMs: number; leastBytes: number }
const DEFAULT_BODY_SPEED_LIMIT: BodySpeedLimit = { everyMs: 10_000, leastBytes: 10_000 }
const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** A slow body occupies a connection and a slot for nothing: it must arrive at one kilobyte a second at least. */
function enforceBodySpeed({ raw }: FastifyRequest, { everyMs, leastBytes }: BodySpeedLimit): void {
  const { socket } = raw
  let seen = socket?.bytesRead
  if (seen === undefined || raw.complete) return
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    const now = socket.bytesRead
    if (now - (seen ?? 0) < leastBytes) {
      clearInterval(timer)
      socket.end(TIMEOUT_RESPONSE, () => socket.destroy())
    }
    seen = now
  }, everyMs)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}

export function registerBodySpeedLimit(app: FastifyInstance, patience = DEFAULT_BODY_SPEED_LIMIT) {
  app.addHook('preParsing', async (request, _reply, payload) => {
    enforceBodySpeed(request, patience)
    return payload
  })
}
