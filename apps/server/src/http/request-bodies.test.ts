import cookie from '@fastify/cookie'
import { defineEndpoint } from '@voisol/contract/endpoint'
import Fastify from 'fastify'
import { beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { useServer } from '../../test/server.ts'
import { registerErrorHandler } from './errors.ts'
import { registerBodyParsers } from './request-bodies.ts'
import { addRoute } from './route.ts'
import { registerSecurityHeaders } from './security.ts'

const server = useServer()
const app = Fastify()
const common = { method: 'POST', access: 'public', audit: 'none' } as const
const upload = defineEndpoint({
  ...common,
  path: '/api/files',
  summary: 'Un fichier',
  upload: 4_000_000,
  response: z.object({ size: z.int() }),
})
const wordsEndpoint = defineEndpoint({
  ...common,
  path: '/api/words',
  summary: 'Des mots',
  body: z.object({ words: z.array(z.string()) }),
  response: z.object({ words: z.array(z.string()) }),
})
const bufferToJsonSpy = vi.spyOn(Buffer.prototype, 'toJSON')

beforeAll(async () => {
  app.decorate('deps', server.deps)
  app.decorateRequest('actor', undefined)
  registerBodyParsers(app)
  registerErrorHandler(app)
  await app.register(cookie)
  await registerSecurityHeaders(app)
  addRoute(app, upload, async ({ upload: bytes }) => ({ size: bytes.length }))
  addRoute(app, wordsEndpoint, async ({ body }) => body)
})

const post = (path: string, type: string, payload: string | Buffer) =>
  app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload })

test('a file is not inspected, null bytes included', async () => {
  const answer = await post('/api/files', 'application/octet-stream', Buffer.from('PK\0\\u0000'.repeat(1000)))
  expect(answer.json()).toEqual({ size: 9000 })
  expect(bufferToJsonSpy).not.toHaveBeenCalled()
})

test('JSON is parsed once and never serialised again', async () => {
  const text = JSON.stringify({ words: Array.from({ length: 1000 }, (_, n) => `mot ${n}`) })
  const written = vi.spyOn(JSON, 'stringify')
  const answer = await post('/api/words', 'application/json', text)
  const whole = written.mock.results.filter(({ value }) => String(value).length >= text.length).length
  written.mockRestore()
  expect(answer.body === text).toBe(true)
  // Only the answer itself has that size.
  expect(whole).toBe(1)
})

test.each([
  ['in a text', '{"words":["a\\u0000b"]}'],
  ['in a name', '{"words":["a"],"b\\u0000":1}'],
])('the null character is refused %s', async (_, text) => {
  const answer = await post('/api/words', 'application/json', text)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().message).toBe('Le caractère nul n’est pas permis.')
})

test('invalid JSON is reported as malformed first', async () => {
  expect((await post('/api/words', 'application/json', '{"words":["\\u0000"')).json().code).toBe('malformed')
})
