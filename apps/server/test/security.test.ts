import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import cookie from '@fastify/cookie'
import { audit } from '@voisol/contract/audit'
import { auth } from '@voisol/contract/auth'
import { defineEndpoint } from '@voisol/contract/endpoint'
import Fastify, { type InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registerErrorHandler } from '../src/http/errors.ts'
import { addRoute } from '../src/http/route.ts'
import { registerSecurityHeaders } from '../src/http/security.ts'
import { generateToken } from '../src/secrets.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { useServer } from './server.ts'

const server = useServer()
const production = useServer({
  NODE_ENV: 'production',
  SECRET_KEY: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=',
  DATABASE_URL: 'postgres://unused@localhost/unused',
  PUBLIC_URL: 'https://energie.exemple.fr',
})
let user: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  user = await makeUser(server.db)
})

const send = (options: InjectOptions) => server.app.inject(options)
const saveProfile = (headers: Record<string, string>, payload: unknown = profileBody('Pirate')) =>
  send({ method: 'PATCH', url: '/api/profile', headers, payload: payload as object }) // inject takes any JSON value
const profileBody = (firstName: string) => ({ firstName, lastName: 'Durand', phone: '', version: 1 })
const firstName = async () => (await call(server, auth.me, {}, user)).body.firstName

describe('S9: calls that come from another site', () => {
  const own = () => ({ cookie: `token=${user.token}` })

  test.each([
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a sibling host', { origin: 'http://localhost.evil.example' }],
    ['another port', { origin: 'http://localhost:81' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused and changes nothing', async (_, headers) => {
    const { statusCode } = await saveProfile({ ...own(), ...headers })
    expect(statusCode).toBe(403)
    expect(await firstName()).toBe('Camille')
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain;application/json',
  ])('a body sent as %s is refused and changes nothing', async (type) => {
    const { statusCode } = await saveProfile({ ...own(), 'content-type': type }, JSON.stringify(profileBody('Pirate')))
    expect(statusCode).toBe(415)
    expect(await firstName()).toBe('Camille')
  })

  test('a foreign Origin is refused at sign-in too', async () => {
    const body = { email: user.email, password: 'x' }
    const { status } = await call(server, auth.login, { body }, { headers: { origin: 'https://evil.example' } })
    expect(status).toBe(403)
  })

  test('our own pages may', async () => {
    const mine = await makeUser(server.db)
    const headers = { cookie: `token=${mine.token}`, origin: 'http://localhost', host: 'localhost' }
    expect((await saveProfile(headers, profileBody('Alix'))).statusCode).toBe(200)
  })
})

describe('S10: headers', () => {
  const answers: [string, InjectOptions, number][] = [
    ['JSON', { url: '/api/auth/me' }, 200],
    ['401', { url: '/api/users', headers: { authorization: '' } }, 401],
    ['404 of the API', { url: '/api/nothing' }, 404],
    ['404 elsewhere', { url: '/nothing' }, 404],
    ['422', { method: 'POST', url: '/api/auth/login', payload: {} }, 422],
    [
      '400',
      { method: 'POST', url: '/api/auth/login', payload: '{', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['a file', { url: '/api/users/export' }, 200],
    ['the reference', { url: '/api/reference' }, 200],
    ['health', { url: '/healthz' }, 200],
  ]
  test.each(answers)('on %s', async (_, options, status) => {
    const origin = options.method ? {} : { origin: 'https://evil.example' }
    const headers = { authorization: `Bearer ${user.token}`, ...origin, ...options.headers }
    const answer = await send({ ...options, headers })
    expect(answer.statusCode).toBe(status)
    expectHeaders(answer.headers)
    // The API reference runs a third-party script that writes markup: it gets an origin of its own instead.
    const policy = String(answer.headers['content-security-policy'])
    const isReference = options.url === '/api/reference'
    expect(policy.includes("require-trusted-types-for 'script'; trusted-types default mail-preview")).toBe(!isReference)
    expect(/; sandbox (.*)$/.exec(policy)?.[1]).toBe(
      isReference ? 'allow-scripts allow-popups allow-downloads' : undefined,
    )
    if (String(options.url).startsWith('/api/')) expect(answer.headers['cache-control']).toBe('no-store')
  })

  function expectHeaders(headers: Record<string, unknown>) {
    const policy = String(headers['content-security-policy'])
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]
    expect(scripts).toMatch(/^'self' 'nonce-[A-Za-z0-9+/]{22}=='$/)
    for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
      expect(policy).toContain(part)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers['x-powered-by']).toBeUndefined()
    // No other site may read an answer, whatever the answer declares.
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }

  test('a nonce is used once', async () => {
    const [one, two] = await Promise.all([send({ url: '/healthz' }), send({ url: '/healthz' })])
    expect(one.headers['content-security-policy']).not.toBe(two.headers['content-security-policy'])
  })

  test('HSTS is set only in production, where development pages are absent', async () => {
    const name = 'strict-transport-security'
    expect((await send({ url: '/healthz' })).headers[name]).toBeUndefined()
    expect((await production.app.inject('/api/nothing')).headers[name]).toBe('max-age=63072000; includeSubDomains')
    expect((await production.app.inject('/dev/mail')).statusCode).toBe(404)
  })
})

describe('answers', () => {
  const Reply = z.object({
    id: z.string(),
    nested: z.object({ shown: z.string() }),
    list: z.array(z.object({ n: z.int() })),
  })
  const build = async (handler: () => Promise<unknown>) => {
    const app = Fastify()
    app.decorate('deps', server.deps)
    app.decorateRequest('actor', undefined)
    registerErrorHandler(app)
    await app.register(cookie)
    await registerSecurityHeaders(app)
    const probe = defineEndpoint({
      method: 'GET',
      path: '/api/probe',
      access: 'public',
      summary: 'Essai',
      response: Reply,
    })
    addRoute(app, probe, handler as () => Promise<z.output<typeof Reply>>) // what a careless handler would give
    return app.inject('/api/probe')
  }

  test('contain no key outside the response schema', async () => {
    const nested = { shown: 'a', hash: 'secret' }
    const answer = await build(async () => ({
      id: '1',
      passwordHash: 'secret',
      nested,
      list: [{ n: 1, token: 'secret' }],
    }))
    expect(answer.json()).toEqual({ id: '1', nested: { shown: 'a' }, list: [{ n: 1 }] })
  })

  test('of a failure do not reveal its cause, and keep the headers', async () => {
    const answer = await build(async () => {
      throw new Error('relation "secret_table" does not exist at /srv/app.ts:12')
    })
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(answer.json()).toMatchObject({ code: 'internal', requestId: answer.headers['x-request-id'] })
    expect(answer.body).not.toMatch(/secret_table|\.ts|stack/)
  })

  test('that violate their schema are an internal error', async () => {
    expect((await build(async () => ({ id: 1 }))).statusCode).toBe(500)
  })
})

describe('bad input', () => {
  const json = (payload: string, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })

  test.each(['{', '{"email": }', 'null{', '[1,]', '\u0000', 'email=a'])('malformed JSON %j', async (payload) => {
    const answer = await json(payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'malformed', status: 400, message: expect.stringContaining('JSON') })
  })

  test.each(['', 'null', '[]', '"text"', '12', 'true'])('a body that is no object is refused: %j', async (payload) => {
    expect([400, 422]).toContain((await json(payload)).statusCode)
  })

  test('a null character in a text is refused', async () => {
    const headers = { authorization: `Bearer ${user.token}` }
    expect((await saveProfile(headers, profileBody('a\u0000b'))).statusCode).toBe(422)
  })

  test('unknown fields are reported by name', async () => {
    const answer = await saveProfile(
      { authorization: `Bearer ${user.token}` },
      { ...profileBody('A'), isAdmin: true, id: 1 },
    )
    expect(answer.statusCode).toBe(422)
    expect(answer.json().issues[0].message).toContain('isAdmin, id')
    expect(await firstName()).toBe('Camille')
  })

  test('wrong types are reported by field, in French', async () => {
    const answer = await saveProfile(
      { authorization: `Bearer ${user.token}` },
      { firstName: 1, lastName: [], phone: {}, version: 'x' },
    )
    expect(answer.statusCode).toBe(422)
    const { issues } = answer.json()
    const paths: string[] = issues.map((issue: { path: string }) => issue.path)
    expect([...new Set(paths)]).toEqual(['firstName', 'lastName', 'phone', 'version'])
    for (const { message } of issues) expect(message).toMatch(/attendu|Au moins/)
  })

  test.each(['{"__proto__": {"isAdmin": true}}', '{"constructor": {"prototype": {"isAdmin": true}}}'])(
    '%s does not pollute prototypes',
    async (payload) => {
      expect((await json(payload)).statusCode).toBe(422)
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    },
  )

  test('a body over the limit is refused', async () => {
    const answer = await json(JSON.stringify({ email: 'a@b.fr', password: 'x'.repeat(1_100_000) }))
    expect(answer.statusCode).toBe(413)
    expect(answer.json().code).toBe('too-large')
  })

  test.each(['page=0', 'page=x', 'size=1000', 'page=1e9999', 'q=%00', 'page=1&page=2', `sort=${'x'.repeat(50)}`])(
    'a query with %s is refused',
    async (query) => {
      const answer = await send({ url: `/api/audit?${query}`, headers: { authorization: `Bearer ${user.token}` } })
      expect(answer.statusCode).toBe(422)
    },
  )

  test('an unknown sort column is ignored, and wildcards in a search match nothing', async () => {
    const query = { sort: 'at; drop table users', q: '%_\\' }
    expect(await call(server, audit.list, { query }, user)).toMatchObject({ status: 200, body: { total: 0 } })
  })

  test.each(['/api/users/%', '/api/%E0%A4%A', '/api/nothing', '/api', '/api/auth/me/more', '//api/auth/me'])(
    'the address %s is refused',
    async (url) => {
      const answer = await send({ url, headers: { authorization: `Bearer ${user.token}` } })
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.json().message).toMatch(/[a-zé]/)
    },
  )

  test('a method that the address does not have is refused', async () => {
    const answer = await send({ method: 'DELETE', url: '/api/auth/me' })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('application/problem+json')
  })
})

describe('tokens', () => {
  const me = (token: string) => call(server, auth.me, {}, { token })
  const age = (token: string, change: string) =>
    server.deps.db.$client.query(`update sessions set ${change} where token_hash = sha256(convert_to($1, 'UTF8'))`, [
      token,
    ])

  test('forged, foreign or malformed ones are refused', async () => {
    const odd = [
      'dev-token',
      generateToken(),
      user.token.slice(0, -1),
      `${user.token}a`,
      'a'.repeat(5000),
      "' or 1=1 --",
      '{}',
    ]
    for (const token of odd) expect((await me(token)).status).toBe(401)
    for (const header of ['Basic YTpi', `Bearer  ${user.token}`, `bearer${user.token}`, user.token])
      expect((await call(server, auth.me, {}, { headers: { authorization: header } })).status).toBe(401)
    expect((await send({ url: '/api/auth/me', headers: { cookie: 'token=; token=x' } })).statusCode).toBe(401)
    expect((await send({ url: `/api/auth/me?token=${user.token}` })).statusCode).toBe(401)
  })

  test('expire after 24 hours of inactivity, not before', async () => {
    const { token } = await makeUser(server.db)
    await age(token, "last_seen_at = now() - interval '23 hours 59 minutes'")
    expect((await me(token)).status).toBe(200)
    await age(token, "last_seen_at = now() - interval '23 hours 59 minutes'")
    expect((await me(token)).status).toBe(200)
    await age(token, "last_seen_at = now() - interval '24 hours 1 second'")
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'session-expired' } })
  })

  test('made by a refresh expire at their time', async () => {
    const { token } = await makeUser(server.db)
    await age(token, "token_expires_at = now() - interval '1 second'")
    expect(await me(token)).toMatchObject({ status: 401, body: { code: 'session-expired' } })
  })
})

describe('request smuggling', () => {
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  const SECOND = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const post = (...headers: string[]) =>
    ['POST /api/auth/logout HTTP/1.1', 'Host: localhost', ...headers, '', `0\r\n\r\n${SECOND}`].join('\r\n')

  test.each([
    ['two lengths', post('Content-Length: 5', 'Content-Length: 0')],
    ['a length beside a transfer encoding', post('Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['a transfer encoding that is not chunked', post('Transfer-Encoding: chunked, identity')],
    ['a space before the colon', post('Transfer-Encoding : chunked')],
  ])('%s is refused, and what follows is not read as a second request', async (_, bytes) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(bytes)
    const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    expect(statuses).toEqual(['400'])
  })

  test('TRACE returns nothing of the request', async () => {
    const answer = await send({ method: 'TRACE', url: '/api/auth/me', headers: { 'x-secret': 'not-repeated' } })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('not-repeated')
  })
})
