import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { PERMISSIONS } from '@voisol/contract/permissions'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildValidInput, formatEndpoint } from './access-bodies.ts'
import { expectNotFoundForStranger } from './access-unknown.ts'
import { call } from './client.ts'
import { makeCompany, makeSiteAdmin, makeUser } from './factories.ts'
import { makeOperation } from './factories-energy.ts'
import { useServer } from './server.ts'
import { clearWrittenRows, listWrittenTables, watchRows } from './watched-rows.ts'

const server = useServer()
beforeAll(() => watchRows(server))
const PUBLIC = [
  'GET /api/api-docs',
  'GET /api/auth/invitations/:token',
  'GET /api/bookings/slots',
  'GET /api/brand',
  'GET /api/companies/:companyId/brand-pictures/:file',
  'GET /api/companies/:companyId/white-label',
  'GET /api/content/:kind',
  'GET /api/content/:kind/:slug',
  'GET /api/domain-ask',
  'GET /api/export-links/:token',
  'GET /api/join/:slug',
  'GET /api/join/:slug/estimate',
  'GET /api/join/:slug/paper',
  'GET /api/legal-documents/:name',
  'GET /api/legal-notice',
  'GET /api/online/trials/:id',
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
  'POST /api/auth/passkeys/challenge',
  'POST /api/auth/passkeys/sign-in',
  'POST /api/auth/refresh',
  'POST /api/auth/register',
  'POST /api/auth/reset-password',
  'POST /api/auth/sso/finish',
  'POST /api/auth/sso/start',
  'POST /api/auth/verify-email',
  'POST /api/bookings/create',
  'POST /api/contact',
  'POST /api/join/:slug/application',
  'POST /api/join/:slug/applications',
  'POST /api/join/:slug/signature',
  'POST /api/join/:slug/withdrawal',
  'POST /api/newsletter',
  'POST /api/newsletter/subscription',
  'POST /api/online/trials',
  'POST /api/online/webhooks/:companyId/:id',
  'POST /api/pdf/generate-simulation-report',
  'POST /api/portal/activation',
  'POST /api/simulator/refine',
  'POST /api/status/subscription',
  'POST /api/status/subscription/choice',
  'POST /api/webinars/:slug/register',
  'POST /api/white-papers/:slug/request',
]

test('public endpoints are exactly this list', () => {
  const open = endpoints.filter((e) => e.access === 'public').map(formatEndpoint)
  expect(open.sort()).toEqual(PUBLIC)
})

/** Every route of the running server, parsed from the tree that Fastify prints. */
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

describe('every endpoint is served, and nothing outside the contract', () => {
  test.each(endpoints.map((e) => [formatEndpoint(e), e] as const))('%s', (_, e) => {
    expect(server.app.hasRoute({ method: e.method, url: e.path })).toBe(true)
  })

  test('every other route is in this list', () => {
    const known = new Set(endpoints.map(formatEndpoint))
    expect(served().filter((route) => !known.has(route))).toEqual([
      'DELETE /scim/v2/Groups/:id',
      'DELETE /scim/v2/Users/:id',
      'GET /api/notifications/unsubscribe/:key',
      'GET /api/openapi.json',
      'GET /api/reference',
      'GET /api/reference/scalar.js',
      'GET /api/reports/unsubscribe/:key',
      'GET /api/sso/in/:companyId/:id/callback',
      'GET /api/sso/in/:companyId/:id/metadata',
      'GET /api/status/unsubscribe/:key',
      'GET /dev/mail',
      'GET /dev/mail/:file',
      'GET /healthz',
      'GET /metrics',
      'GET /portal.webmanifest',
      'GET /readyz',
      'GET /robots.txt',
      'GET /scim/v2/Groups',
      'GET /scim/v2/Groups/:id',
      'GET /scim/v2/ResourceTypes',
      'GET /scim/v2/Schemas',
      'GET /scim/v2/ServiceProviderConfig',
      'GET /scim/v2/Users',
      'GET /scim/v2/Users/:id',
      'GET /sitemap.xml',
      'PATCH /scim/v2/Groups/:id',
      'PATCH /scim/v2/Users/:id',
      'POST /api/notifications/unsubscribe/:key',
      'POST /api/reports/unsubscribe/:key',
      'POST /api/sso/in/:companyId/:id/acs',
      'POST /api/status/unsubscribe/:key',
      'POST /scim/v2/Groups',
      'POST /scim/v2/Users',
      'PUT /scim/v2/Groups/:id',
      'PUT /scim/v2/Users/:id',
    ])
  })
})

// The first company owns the site: it is made before others take its number.
beforeAll(() => makeSiteAdmin(server.db))

/** What the site owner keeps is open only to its administrators: no other company could find it. */
const isSite = ({ access }: Endpoint) => {
  const permission = typeof access === 'object' && access.permission
  return Boolean(permission && 'site' in PERMISSIONS[permission])
}
const endpointsWithParams = endpoints.filter((e) => e.params && e.access !== 'public' && !isSite(e))

const isOpenToClients = ({ access }: Endpoint) =>
  access === 'signed-in' || (typeof access === 'object' && access.portal === true)

describe('another company finds nothing and changes nothing', () => {
  test.each(['companies', 'operations'])('a row of %s inserted, changed or deleted is detected', async (table) => {
    const { id: companyId } = await makeCompany(server.db)
    const { id } = table === 'companies' ? { id: companyId } : await makeOperation(server.db, { companyId })
    for (const what of [`update ${table} set name = 'B'`, `delete from ${table}`]) {
      expect(await listWrittenTables(server)).toContain(table)
      await clearWrittenRows(server)
      expect(await listWrittenTables(server)).not.toContain(table)
      await server.asOwner(`${what} where id = $1`, [id])
    }
    expect(await listWrittenTables(server)).toContain(table)
  })

  test.each(endpointsWithParams.map((e) => [formatEndpoint(e), e] as const))('%s', async (_, e) => {
    const owner = await makeUser(server.db)
    for (const isAdmin of isOpenToClients(e) ? [true, false] : [true])
      await expectNotFoundForStranger(server, e, owner, await makeUser(server.db, { isAdmin }))
  })

  test('POST /api/auth/company refuses the id of a company that one does not belong to', async () => {
    const stranger = await makeUser(server.db)
    const { id: companyId } = await makeCompany(server.db)
    const { status } = await call(server, auth.switchCompany, { body: { companyId } }, stranger)
    expect(status).toBe(404)
    expect((await call(server, auth.me, {}, stranger)).body.companyId).toBe(stranger.companyId)
  })
})

/** What a company stores about its participants is for administrators; another client sees none of it. */
const shared =
  /^\/api\/(points|participants|applications|consents|invoices|payments|mandates|online|supplier-bills|declarations|reports)\//

describe('a colleague finds nothing that is personal', () => {
  const personal = endpointsWithParams.filter(isOpenToClients)
  test.each(personal.map((e) => [formatEndpoint(e), e] as const))('%s', async (_, e) => {
    const owner = await makeUser(server.db)
    const isAdmin = !shared.test(e.path)
    await expectNotFoundForStranger(
      server,
      e,
      owner,
      await makeUser(server.db, { companyId: owner.companyId, isAdmin }),
    )
  })
})

describe('an id of the wrong format is treated as unknown', () => {
  test.each(endpointsWithParams.map((e) => [formatEndpoint(e), e] as const))('%s', async (_, e) => {
    const user = await makeUser(server.db)
    for (const id of ['x', '0', '-1', '99999999999', "1' or '1'='1", '../1', '%00', 'null'])
      expect(
        (await call(server, e, { params: { id, companyId: id, day: id, producerId: id }, ...buildValidInput(e) }, user))
          .status,
      ).toBe(404)
  })
})
