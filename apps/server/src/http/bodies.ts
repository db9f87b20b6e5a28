import type { Readable } from 'node:stream'
import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBody } from './collect.ts'
import { AppError } from './errors.ts'
import { findJsonLimitError } from './json-limits.ts'
import { findNullCharacterError } from './null-character.ts'

const acceptsFile = (config: object) => 'endpoint' in config && Boolean((config.endpoint as Endpoint).upload) // set by route()

/** Its bytes are what is signed: they go on as they came, and are read once they are proved. */
const acceptsRawBytes = (config: object) => 'endpoint' in config && Boolean((config.endpoint as Endpoint).signed) // set by route()

type BodyParserCallback = (error: Error | null, value?: unknown) => void

/** Inside JSON the null character can only be written this way: the text is searched as it came, and a file never is. */
export const rejectNullCharacters =
  (text: string, done: BodyParserCallback): BodyParserCallback =>
  (error, value) =>
    done(error ?? findNullCharacterError(text, '\\u0000') ?? findJsonLimitError(value), value)

/** JSON, or a file where an endpoint takes one. An empty body under a JSON content type is no body: browsers send it so with calls that carry nothing. */
export function registerBodyParsers(app: FastifyInstance) {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  // Names such as __proto__ reach the schema, which refuses them like any other unknown field.
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
