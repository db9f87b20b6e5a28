import { endpoints } from '@voisol/contract'
import { isRepeatable } from '@voisol/contract/endpoint'
import type Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { buildApp } from '../app.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { createLogger } from './logging.ts'
import { buildOpenApi } from './openapi.ts'

const server = useServer()
const serverWithMetricsToken = useServer({ METRICS_TOKEN: 'a-token-for-metrics' })
const REMOTE_CALLER = { remoteAddress: '203.0.113.9' }

describe('/healthz and /readyz', () => {
  test('report a healthy process', async () => {
    expect((await server.app.inject('/healthz')).json()).toEqual({
      status: 'ok',
      version: VERSION,
      commit: COMMIT_ID ?? null,
    })
    // A warning may be present: a busy machine is slow to write.
    const { warnings: _, ...said } = (await server.app.inject('/readyz')).json()
    expect(said).toEqual({ status: 'ready' })
  })

  test('a stopping process is alive and not ready', async () => {
    server.app.life.stopping = true
    const ready = await server.app.inject('/readyz')
    server.app.life.stopping = false
    expect(ready.statusCode).toBe(503)
    expect(ready.json()).toEqual({ status: 'unavailable', reasons: ['Le serveur s’arrête.'] })
    expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  })

  test('not ready when the database is unavailable, outdated or without a job queue', async () => {
    const query = vi.spyOn(server.deps.aside.$client, 'query')
    query.mockImplementation(() => Promise.reject(new Error('ECONNREFUSED')))
    const away = await server.app.inject('/readyz')
    query.mockRestore()
    expect(away.json().reasons).toEqual(['La base de données ne répond pas.'])
    const run = server.asOwner
    await run('alter table drizzle.__drizzle_migrations rename to moved')
    await run('alter table jobs.version rename to moved')
    const behind = await server.app.inject('/readyz')
    await run('alter table drizzle.moved rename to __drizzle_migrations')
    await run('alter table jobs.moved rename to version')
    expect(behind.statusCode).toBe(503)
    expect(behind.json().reasons).toEqual([
      'La base de données n’est pas à jour.',
      'La file de tâches n’est pas ouverte.',
    ])
  })
})

describe('/metrics', () => {
  test('counts requests by method, route and status, and jobs by queue', async () => {
    await server.app.inject('/api/users/5a3c1f0e-8a1b-4c58-9d52-2f6f3b7f1a11')
    await server.app.inject('/nothing/at/all')
    const { body, headers } = await server.app.inject('/metrics')
    expect(body).toContain(
      `voisol_build_info{version="${VERSION}",commit="${COMMIT_ID ?? ''}",node="${process.version}"} 1`,
    )
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/api/users/:id",status="401"} 1')
    expect(body).toContain('route="unmatched",status="404"')
    expect(body).toContain('voisol_queue_jobs{queue="mail.send",state="waiting"} 0')
    expect(body).toContain('process_resident_memory_bytes')
    expect(body).not.toContain('5a3c1f0e')
  })

  const ask = (app: typeof server.app, headers: Record<string, string> = {}, more: object = REMOTE_CALLER) =>
    app.inject({ url: '/metrics', headers, ...more }).then(({ statusCode }) => statusCode)

  test('is not found from elsewhere without a token, even through a local proxy', async () => {
    expect(await ask(server.app)).toBe(404)
    expect(await ask(server.app, { 'x-forwarded-for': '203.0.113.9' }, {})).toBe(404)
    expect(await ask(server.app, { authorization: 'Bearer undefined' })).toBe(404)
  })

  test('with a token set, requires it from everywhere, this machine included', async () => {
    expect(await ask(serverWithMetricsToken.app)).toBe(401)
    expect(await ask(serverWithMetricsToken.app, { authorization: 'Bearer a-token-for-metric' })).toBe(401)
    expect(await ask(serverWithMetricsToken.app, { authorization: 'Bearer a-token-for-metrics' })).toBe(200)
    expect(await ask(serverWithMetricsToken.app, {}, {})).toBe(401)
    expect(await ask(serverWithMetricsToken.app, { authorization: 'Bearer a-token-for-metrics' }, {})).toBe(200)
  })
})

describe('the log line of a request', () => {
  const lines: string[] = []
  let app: ReturnType<typeof Fastify>
  beforeAll(async () => {
    const log = createLogger('info', { write: (line) => void lines.push(line) })
    app = (await buildApp({ ...server.deps, log })) as typeof app // the same server with a log of its own
  })
  afterAll(() => app.close())

  test('contains who, what and how long, and no secret', async () => {
    const user = await makeUser(server.db)
    const headers = { authorization: `Bearer ${user.token}`, cookie: 'token=cookie-secret' }
    const answer = await app.inject({ url: '/api/auth/me?token=query-secret', headers })
    const line = JSON.parse(String(lines.at(-1)))
    expect(line).toMatchObject({
      method: 'GET',
      route: '/api/auth/me',
      path: '/api/auth/me',
      status: 200,
      userId: user.id,
      requestId: answer.headers['x-request-id'],
      ms: expect.any(Number),
    })
    expect(lines.join('')).not.toMatch(new RegExp(`${user.token}|query-secret|cookie-secret`))
    expect(lines.filter((text) => text.includes('/api/auth/me'))).toHaveLength(1)
  })
})

describe('OpenAPI', () => {
  const document = buildOpenApi('https://energie.exemple.fr/')
  type Operation = {
    security: unknown[]
    parameters: { name: string; in: string }[]
    responses: Record<string, unknown>
  }
  const operations = document.paths as Record<string, Record<string, Operation>>

  test('describes every endpoint with its parameters, access and errors', () => {
    for (const e of endpoints) {
      const operation = operations[e.path.replace(/:(\w+)/g, '{$1}')]?.[e.method.toLowerCase()]
      expect(operation, `${e.method} ${e.path}`).toBeDefined()
      const named = operation?.parameters.filter((p) => p.in === 'path').map((p) => p.name)
      expect(named).toEqual([...e.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
      expect(operation?.security.length === 0).toBe(e.access === 'public')
      if (e.access !== 'public') expect(operation?.responses).toHaveProperty('401')
      if (typeof e.access === 'object') expect(operation?.responses).toHaveProperty('403')
      expect(operation?.parameters.some((p) => p.name === 'Idempotency-Key')).toBe(isRepeatable(e))
    }
  })

  test('has no dangling reference, and has French tags', () => {
    const text = JSON.stringify(document)
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(document.components).toHaveProperty([String(kind), String(name)])
    expect(document.servers).toEqual([{ url: 'https://energie.exemple.fr' }])
    expect(document.tags.map(({ name }) => name)).toContain('Journal d’audit')
    expect(text).not.toContain('9007199254740991')
  })

  test('is served with its reference page, which loads nothing from other hosts', async () => {
    expect((await server.app.inject('/api/openapi.json')).json().openapi).toMatch(/^3\.1/)
    const page = await server.app.inject('/api/reference')
    const links = [...page.body.matchAll(/(?:src|href|data-url)="([^"]+)"/g)].map(([, link]) => link)
    for (const link of links) expect(link).toMatch(/^(\/api\/|data:,)/)
    const script = await server.app.inject('/api/reference/scalar.js')
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
    })
    expect(script.rawPayload.length).toBeGreaterThan(100_000)
  })

  test('stands whole in its reference page, which has an origin of its own and may call nothing', async () => {
    const page = await server.app.inject('/api/reference')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; .*; sandbox allow-scripts allow-popups allow-downloads$/)
    expect(policy).not.toMatch(/allow-same-origin|connect-src|unsafe-eval/)
    const block = /<script id="api-reference" type="application\/json"[^>]*>(.*?)<\/script>/s.exec(page.body)?.[1]
    expect(block).not.toContain('<')
    expect(JSON.parse(block ?? '')).toEqual((await server.app.inject('/api/openapi.json')).json())
  })
})
