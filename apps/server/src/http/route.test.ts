import cookie from '@fastify/cookie'
import { defineEndpoint } from '@voisol/contract/endpoint'
import { eq } from 'drizzle-orm'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { auditEntries, files } from '../db/schema/index.ts'
import { registerErrorHandler } from './errors.ts'
import { registerBodyParsers } from './request-bodies.ts'
import { addRoute } from './route.ts'
import { registerSecurityHeaders } from './security.ts'

const server = useServer()
const app = Fastify()
const call = { method: 'POST', summary: 'Essai', body: z.object({ to: z.int() }), response: z.object({}) } as const
const carelessEndpoint = defineEndpoint({ ...call, path: '/api/careless', access: { permission: 'documents.write' } })
const visitor = defineEndpoint({ ...call, path: '/api/visitor', access: 'public', audit: 'none' })
const yielding = defineEndpoint({ ...call, path: '/api/yielding', access: { permission: 'documents.write' } })
let tries = 0

const buildFileRow = (companyId: number) => ({
  companyId,
  name: 'a.pdf',
  mediaType: 'text/plain',
  size: 31,
  sha256: 'ab',
})

/** Handlers that ignore the company scope, and one that has a deadlock at its first try. */
beforeAll(async () => {
  app.decorate('deps', server.deps)
  app.decorateRequest('actor', undefined)
  registerBodyParsers(app)
  registerErrorHandler(app)
  await app.register(cookie)
  await registerSecurityHeaders(app)
  for (const e of [carelessEndpoint, visitor])
    addRoute(app, e, async ({ body }, { db }) => {
      await db.insert(files).values(buildFileRow(body.to))
      return {}
    })
  addRoute(app, yielding, async ({ body }, { db, note }) => {
    tries++
    await db.insert(files).values(buildFileRow(body.to))
    note(tries === 1 ? { target: 'premier', detail: { tries } } : { detail: { tries } })
    if (tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    return {}
  })
})
afterAll(() => app.close())

const send = async (url: string, to: number, token = '') => {
  const headers = { authorization: `Bearer ${token}` }
  return (await app.inject({ method: 'POST', url, headers, payload: { to } })).statusCode
}
const countFiles = async (companyId: number) =>
  (await server.db.select().from(files).where(eq(files.companyId, companyId))).length

test('a write for another company is refused by the database, and rolled back', async () => {
  const { companyId, token } = await makeUser(server.db)
  const other = await makeCompany(server.db)
  expect(await send('/api/careless', companyId, token)).toBe(200)
  expect(await send('/api/careless', other.id, token)).toBe(500)
  expect([await countFiles(companyId), await countFiles(other.id)]).toEqual([1, 0])
  expect(await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))).toHaveLength(1)
})

test('a visitor has no company, and a public call follows its own rules', async () => {
  const { id } = await makeCompany(server.db)
  expect(await send('/api/visitor', id)).toBe(200)
  expect(await countFiles(id)).toBe(1)
})

test('a retried call repeats its work: notes and cookies of the first try are dropped', async () => {
  const { companyId, token } = await makeUser(server.db)
  expect(await send('/api/yielding', companyId, token)).toBe(200)
  expect([tries, await countFiles(companyId)]).toEqual([2, 1])
  const told = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, companyId))
  expect(told.map(({ target, detail }) => ({ target, detail }))).toEqual([{ target: '', detail: { tries: 2 } }])
})
