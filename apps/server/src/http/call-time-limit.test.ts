import { setImmediate } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import { defineEndpoint, type Endpoint, getTimeoutSeconds } from '@voisol/contract/endpoint'
import { sql } from 'drizzle-orm'
import Fastify from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import type { Db } from '../db/client.ts'
import { createCallTimeLimit } from './concurrency-limit.ts'
import { registerErrorHandler } from './errors.ts'
import { registerBodyParsers } from './request-bodies.ts'
import { addRoute, type RouteContext } from './route.ts'
import { registerSecurityHeaders } from './security.ts'

const server = useServer()
const app = Fastify()
const Reply = z.object({ done: z.boolean() })
/** A duration that no other statement has, which no test waits for. */
const SLEEP = sql.raw('select pg_sleep(3607)')

const sleeping = async () => {
  const { rows } = await server.db.execute(
    sql`select 1 from pg_stat_activity where query = 'select pg_sleep(3607)' and state = 'active'`,
  )
  return rows.length
}
const listKeptNames = async () => {
  const { rows } = await server.db.execute<{ name: string }>(sql`select name from kept order by name`)
  return rows.map(({ name }) => name)
}
const insertKeptName = (db: Db, name: string) => db.execute(sql`insert into kept values (${name})`)

const late: Promise<unknown>[] = []
type Slow = Pick<RouteContext, 'db' | 'signal'>

function add(
  method: 'GET' | 'POST',
  path: `/api/${string}`,
  timeout: number,
  handler: (ctx: Slow) => Promise<unknown>,
) {
  const e = defineEndpoint({
    method,
    path,
    timeout,
    access: 'public',
    audit: 'none',
    summary: 'Essai',
    response: Reply,
  })
  addRoute(app, e, async (_, ctx) => {
    await handler(ctx)
    return { done: true }
  })
}

beforeAll(async () => {
  app.decorate('deps', server.deps)
  app.decorateRequest('actor', undefined)
  registerBodyParsers(app)
  registerErrorHandler(app)
  await app.register(cookie)
  await registerSecurityHeaders(app)
  add('GET', '/api/slow-read', 0.2, ({ db }) => Promise.all([db.execute(SLEEP), db.execute(SLEEP)]))
  add('POST', '/api/slow-write', 0.2, async ({ db }) => {
    await insertKeptName(db, 'slow')
    await db.execute(SLEEP)
  })
  add('POST', '/api/deaf', 0.2, async ({ db, signal }) => {
    await insertKeptName(db, 'deaf')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    late.push(insertKeptName(db, 'late').catch((error: unknown) => error))
    await late[0]
  })
  add('POST', '/api/quick', 20, ({ db }) => insertKeptName(db, 'quick'))
  await server.asOwner('create table kept (name text)')
})
afterAll(() => app.close())

const problem = {
  status: 503,
  code: 'timeout',
  message: 'La demande a pris trop de temps\u00a0: elle a été interrompue, et rien n’a été modifié.',
}

test('a write that exceeds its time is refused in French, cancelled and rolled back', async () => {
  const answer = await app.inject({ method: 'POST', url: '/api/slow-write' })
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject(problem)
  await waitUntil(async () => (await sleeping()) === 0)
  expect(await listKeptNames()).toEqual([])
})

test('a read has all of its statements cancelled at once', async () => {
  expect((await app.inject('/api/slow-read')).json()).toMatchObject(problem)
  await waitUntil(async () => (await sleeping()) === 0)
})

test('a handler that ignores the signal changes nothing, and its connection is closed', async () => {
  expect((await app.inject({ method: 'POST', url: '/api/deaf' })).json()).toMatchObject(problem)
  expect(await Promise.all(late)).toEqual([expect.any(Error)])
  expect(await listKeptNames()).toEqual([])
})

test('the remaining connections serve the next calls', async () => {
  const pool = server.deps.db.$client as pg.Pool // nobody opened a transaction around the server
  await waitUntil(() => pool.totalCount === pool.idleCount)
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject({ method: 'POST', url: '/api/quick' })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  expect(await listKeptNames()).toEqual(answers.map(() => 'quick'))
})

test('the time limit follows the kind of call, unless the endpoint sets its own', () => {
  const read: Endpoint = { method: 'GET', path: '/api/a', access: 'public', summary: '', response: Reply }
  expect(getTimeoutSeconds(read)).toBe(30)
  expect(getTimeoutSeconds({ ...read, method: 'POST' })).toBe(60)
  expect(getTimeoutSeconds({ ...read, response: { file: 'text/csv' } })).toBe(120)
  expect(getTimeoutSeconds({ ...read, method: 'POST', upload: 1 })).toBe(120)
  expect(getTimeoutSeconds({ ...read, timeout: 5 })).toBe(5)
})

test('an immediate refusal leaves no pending promise behind', async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => void unheard.push(reason)
  process.on('unhandledRejection', hear)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const limit = createCallTimeLimit(20)
  const refusing = () => {
    throw new Error('refused at once')
  }
  await expect(limit.within(refusing)).rejects.toThrow('refused at once')
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(21_000)
  vi.useRealTimers()
  // An unhandled rejection is reported at the end of this turn of the event loop.
  await setImmediate()
  process.off('unhandledRejection', hear)
  expect([limit.signal.aborted, unheard]).toEqual([false, []])
})
