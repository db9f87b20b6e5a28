import type { Readable } from 'node:stream'
import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBody } from './collect.ts'
import { AppError } from './errors.ts'
import { findJsonLimitError } from './json-limits.ts'
import { findNullCharacterError } from './null-character.ts'

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
