import cookie from '@fastify/cookie'
import { defineEndpoint } from '@voisol/contract/endpoint'
import Fastify from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { registerErrorHandler } from './errors.ts'
import { registerGateway } from './gateway/register-gateway.ts'
import { registerBodyParsers } from './request-bodies.ts'
import { addRoute } from './route.ts'

const server = useServer()
const app = Fastify()
const opening = Promise.withResolvers<void>()

beforeAll(async () => {
  app.decorate('deps', server.deps)
  app.decorateRequest('actor', undefined)
  app.decorateRequest('leave', undefined)
  registerBodyParsers(app)
  registerErrorHandler(app)
  await app.register(cookie)
  registerGateway(app)
  const response = z.object({ done: z.boolean() })
  const e = { method: 'POST', access: 'signed-in', audit: 'none', summary: 'Essai', response } as const
  const held = defineEndpoint({ ...e, path: '/api/held', timeout: 100 })
  addRoute(app, held, async () => {
    await opening.promise
    return { done: true }
  })
  const quick = defineEndpoint({ ...e, path: '/api/quick' })
  addRoute(app, quick, async () => ({ done: true }))
})
afterAll(() => app.close())

test('one company cannot use all connections: another is served at the same time', async () => {
  const [one, other] = [await makeUser(server.db), await makeUser(server.db)]
  const call = (url: string, token: string) =>
    app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` } })
  const pool = server.deps.db.$client as pg.Pool // nobody opened a transaction around the server
  const holding = () => pool.totalCount - pool.idleCount
  const flood = Array.from({ length: 40 }, () => call('/api/held', one.token))
  const most = Math.floor((server.deps.config.DATABASE_POOL * 2) / 3)
  await waitUntil(() => holding() >= most - 2 && pool.waitingCount === 0)
  for (let n = 0; n < 20; n++) expect((await call('/api/quick', other.token)).statusCode).toBe(200)
  expect(holding()).toBeLessThanOrEqual(most)
  opening.resolve()
  expect((await Promise.all(flood)).map(({ statusCode }) => statusCode)).toEqual(flood.map(() => 200))
})
