import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { beforeAll, describe, expect, test } from 'vitest'
import { name, restOf } from './access-bodies.ts'
import { type Owner, paramsFor, SECRET } from './access-makers.ts'
import { call } from './client.ts'
import { makeCompany, makeSiteAdmin, makeUser } from './factories.ts'
import { useServer } from './server.ts'

const server = useServer()
const PUBLIC = [
  'GET /api/api-docs',
  'GET /api/auth/invitations/:token',
  'GET /api/bookings/slots',
  'GET /api/companies/:companyId/white-label',
  'GET /api/content/:kind',
  'GET /api/content/:kind/:slug',
  'GET /api/pdf/generate-api-docs',
  'GET /api/seo/content',
  'GET /api/site-images/:id',
  'GET /api/status',
  'GET /api/white-papers/:slug/file',
  'POST /api/api-docs/try',
  'POST /api/auth/forgot-password',
  'POST /api/auth/invitations/:token/accept',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/refresh',
  'POST /api/auth/register',
  'POST /api/auth/reset-password',
  'POST /api/bookings/create',
  'POST /api/contact',
  'POST /api/newsletter',
  'POST /api/newsletter/subscription',
  'POST /api/pdf/generate-simulation-report',
  'POST /api/simulator/refine',
  'POST /api/webinars/:slug/register',
  'POST /api/white-papers/:slug/request',
]

test('what is open to everybody is this list', () => {
  const open = endpoints.filter((e) => e.access === 'public').map(name)
  expect(open.sort()).toEqual(PUBLIC)
})

/** Every route of the running server, read from the tree that Fastify draws. */
function served() {
  const path: string[] = []
  const found = server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?/.exec(line) ?? []
      path.length = indent.length / 4
      path.push(part)
      return methods.split(', ').map((method) => `${method} ${path.join('').replace(/(?<=.)\/$/, '')}`)
    })
  return [...new Set(found)].filter((route) => !/^(HEAD)? /.test(route)).sort()
}

describe('every endpoint is served, and nothing beside the contract', () => {
  test.each(endpoints.map((e) => [name(e), e] as const))('%s', (_, e) => {
    expect(server.app.hasRoute({ method: e.method, url: e.path })).toBe(true)
  })

  test('every other route is one of these', () => {
    const known = new Set(endpoints.map(name))
    expect(served().filter((route) => !known.has(route))).toEqual([
      'GET /api/openapi.json',
      'GET /api/reference',
      'GET /api/reference/scalar.js',
      'GET /dev/mail',
      'GET /dev/mail/:file',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'GET /robots.txt',
      'GET /sitemap.xml',
    ])
  })
})

const ROLES = ['nobody', 'client', 'admin', 'site'] as const
type Role = (typeof ROLES)[number]

function expected(e: Endpoint, role: Role): number | undefined {
  if (e.access === 'public') return undefined
  if (role === 'nobody') return 401
  if (e.access === 'signed-in' || e.access === role) return undefined
  return e.access === 'admin' && role === 'site' ? undefined : 403
}

// The first company keeps the site: it is made before any other takes its number.
beforeAll(() => makeSiteAdmin(server.db))

describe('every endpoint × role equals the declared access', () => {
  for (const e of endpoints)
    for (const role of ROLES)
      test(`${name(e)} as ${role}`, async () => {
        const user =
          role === 'site' ? await makeSiteAdmin(server.db) : await makeUser(server.db, { isAdmin: role === 'admin' })
        const params = await paramsFor(server, e, user)
        const body = e.body ? {} : undefined
        const token = role === 'nobody' ? undefined : user.token
        const { status, headers } = await call(server, e, { params, body }, { token })
        const refusal = [401, 403].includes(status) ? status : undefined
        expect(refusal).toBe(expected(e, role))
        expect(status).toBeLessThan(500)
        if (status >= 400) expect(headers['content-type']).toContain('application/problem+json')
      })
})

/** Everything a company owns; what only records the calls themselves is left out. */
async function snapshot() {
  const { rows: tables } = await server.deps.db.$client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
        and table_name not in ('audit_entries', 'audit_heads', 'status_samples', 'throttles', 'idempotency_keys', 'webhook_deliveries', 'event_cursors')
      order by 1`,
  )
  // The number of the last transaction that wrote a row, and how many are left: what was written or removed shows.
  const marks = tables.map(
    ({ name: table }) => `select '${table}' as table, count(*), max(xmin::text::bigint) as last from "${table}"`,
  )
  return (await server.deps.db.$client.query(marks.join(' union all '))).rows
}

/** What the site's company keeps is open to its administrators alone: there is no other company's to find. */
const named = endpoints.filter((e) => e.params && e.access !== 'public' && e.access !== 'site')

async function expectUnknown(e: Endpoint, owner: Owner, stranger: Owner) {
  const params = await paramsFor(server, e, owner)
  const before = await snapshot()
  const { status, body, text } = await call(server, e, { params, ...restOf(e) }, stranger)
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'not-found' })
  for (const secret of [owner.email, owner.lastName, SECRET]) expect(text).not.toContain(secret)
  expect(await snapshot()).toEqual(before)
}

describe('another company finds nothing and changes nothing', () => {
  test.each(named.map((e) => [name(e), e] as const))('%s', async (_, e) => {
    const owner = await makeUser(server.db)
    for (const isAdmin of e.access === 'admin' ? [true] : [true, false])
      await expectUnknown(e, owner, await makeUser(server.db, { isAdmin }))
  })

  test('POST /api/auth/company with the id of a company that is not one’s own', async () => {
    const stranger = await makeUser(server.db)
    const { id: companyId } = await makeCompany(server.db)
    const { status } = await call(server, auth.switchCompany, { body: { companyId } }, stranger)
    expect(status).toBe(404)
    expect((await call(server, auth.me, {}, stranger)).body.companyId).toBe(stranger.companyId)
  })
})

/** What a company keeps about its participants is the administrators' business; another client sees none of it. */
const shared = /^\/api\/(points|participants|consents)\//

describe('a colleague finds nothing of what is personal', () => {
  const personal = named.filter((e) => e.access === 'signed-in')
  test.each(personal.map((e) => [name(e), e] as const))('%s', async (_, e) => {
    const owner = await makeUser(server.db)
    const isAdmin = !shared.test(e.path)
    await expectUnknown(e, owner, await makeUser(server.db, { companyId: owner.companyId, isAdmin }))
  })
})

describe('an id of the wrong shape is unknown like any other', () => {
  test.each(named.map((e) => [name(e), e] as const))('%s', async (_, e) => {
    const user = await makeUser(server.db)
    for (const id of ['x', '0', '-1', '99999999999', "1' or '1'='1", '../1', '%00', 'null'])
      expect(
        (await call(server, e, { params: { id, companyId: id, day: id, producerId: id }, ...restOf(e) }, user)).status,
      ).toBe(404)
  })
})
