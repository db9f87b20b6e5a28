import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import { consents } from '@voisol/contract/consents'
import { invoices } from '@voisol/contract/invoices'
import { points } from '@voisol/contract/points'
import { portalManagement } from '@voisol/contract/portal-management'
import { support } from '@voisol/contract/support'
import { visits } from '@voisol/contract/visits'
import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeTicket } from '../../../../test/access-relationship.ts'
import { buildEndpointPath, call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, memberships, portalHolders, portalViews, sessions } from '../../../db/schema/index.ts'
import { IMPERSONATION_HEADER, IMPERSONATION_PATHS } from '../../../http/impersonation.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let zoe: User
let person: Awaited<ReturnType<typeof makeParticipant>>
let operation: string
let elsewhere: string

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  zoe = await makeUser(server.db, { companyId, isAdmin: false })
  operation = (await makeOperation(server.db, { companyId, name: 'Les Tilleuls' })).id
  elsewhere = (await makeOperation(server.db, { companyId, name: 'Les Ormes' })).id
  person = await makeParticipant(server.db, { companyId, userId: zoe.id, name: 'Zoé Vidal', firstName: 'Zoé' })
  const { id: pointId } = await makePoint(server.db, { companyId, label: 'Bât. A' })
  await makeParticipation(server.db, { companyId, operationId: operation, participantId: person.id, pointId })
})

const open = (by: { token: string }, id = person.id) => call(server, portalManagement.view, { params: { id } }, by)
const withViewHeader = (by: { token: string }, viewId: string) => ({
  token: by.token,
  headers: { [IMPERSONATION_HEADER]: viewId },
})
const openViewAs = async (by: { token: string } = admin) => withViewHeader(by, (await open(by)).body.viewId)

test('every endpoint of a client is explicitly listed as shown or private in a portal view', () => {
  const read = endpoints.filter(
    ({ method, access }) =>
      method === 'GET' && (access === 'signed-in' || (typeof access === 'object' && access.portal)),
  )
  const kept = read.map(({ path }) => path).filter((path) => !IMPERSONATION_PATHS.has(path))
  expect(kept.sort()).toEqual([
    '/api/applications/:id/paper',
    '/api/auth/passkeys',
    '/api/auth/sessions',
    '/api/communes',
    '/api/consents',
    '/api/mandates',
    '/api/mandates/:id/file',
    '/api/mandates/text',
    '/api/notifications',
    '/api/notifications/preferences',
    '/api/notifications/unread-count',
    '/api/online/checkout/:invoiceId',
    '/api/online/payments/:id',
    '/api/online/sellers',
    '/api/own/days',
    '/api/own/figures',
    '/api/own/invoices',
    '/api/own/tokens',
    '/api/participations/:id/departure',
    '/api/portal/closure',
    '/api/portal/departures',
    '/api/profile/export',
    '/api/search',
    '/api/supplier-bills/:id/letter',
    '/api/support/files/:id',
  ])
})

test('shows the portal as the participant sees it, and records it in the audit log', async () => {
  const view = await openViewAs()
  const me = (await call(server, auth.me, {}, view)).body
  expect(me).toMatchObject({ id: zoe.id, space: 'portal', permissions: [], secondFactors: [], firstName: 'Zoé' })
  expect(me.viewing.name).toBe('Zoé Vidal')
  const { body } = await call(server, points.list, {}, view)
  expect(body.items.map(({ label }: { label: string }) => label)).toEqual(['Bât. A'])
  expect((await call(server, visits.changes, {}, view)).status).toBe(200)
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.companyId, admin.companyId))
    .orderBy(desc(auditEntries.seq))
    .limit(1)
  expect(entry).toMatchObject({ userId: admin.id, target: 'Zoé Vidal', label: 'Voir le portail d’un participant' })
  // Without the header the session is unchanged.
  expect((await call(server, auth.me, {}, admin)).body).toMatchObject({ id: admin.id, space: 'office' })
})

describe('in a portal view nothing is written and nothing private is read', () => {
  const refused = endpoints.filter(
    (e) => e.method !== 'GET' || !(e.access === 'public' || IMPERSONATION_PATHS.has(e.path)),
  )
  test('refuses every other endpoint before loading anything', async () => {
    const view = await openViewAs()
    for (const e of refused) {
      const params = Object.fromEntries([...e.path.matchAll(/:(\w+)/g)].map(([, key = '']) => [key, person.id]))
      const { headers, token } = view
      const answer = await server.app.inject({
        method: e.method,
        url: buildEndpointPath(e, params),
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(e.method !== 'GET' && { payload: '{}' }),
      })
      expect(`${e.method} ${e.path} ${answer.statusCode} ${answer.json().code}`).toBe(
        `${e.method} ${e.path} 403 view-only`,
      )
    }
  })

  test('refuses without a valid view or with a back office permission only', async () => {
    const view = await openViewAs()
    expect((await call(server, consents.list, {}, view)).status).toBe(403)
    expect((await call(server, portalManagement.people, {}, view)).body.code).toBe('view-only')
    for (const id of ['', 'x', person.id, '00000000-0000-4000-8000-000000000000'])
      expect((await call(server, points.list, {}, withViewHeader(admin, id))).body.code).toBe('view-over')
  })
})

describe('access to portal views and their duration', () => {
  test('a view belongs to one session and ends with it, after an hour, or when it is left', async () => {
    const { viewId } = (await open(admin)).body
    const colleague = await makeUser(server.db, { companyId: admin.companyId })
    expect((await call(server, points.list, {}, withViewHeader(colleague, viewId))).body.code).toBe('view-over')
    const stranger = await makeUser(server.db)
    expect((await open(stranger)).status).toBe(404)
    expect((await call(server, points.list, {}, withViewHeader(stranger, viewId))).body.code).toBe('view-over')
    expect((await call(server, portalManagement.endView, { params: { id: viewId } }, colleague)).status).toBe(404)
    const view = withViewHeader(admin, viewId)
    expect((await call(server, portalManagement.endView, { params: { id: viewId } }, admin)).status).toBe(200)
    expect((await call(server, points.list, {}, view)).body.code).toBe('view-over')
    const old = (await open(admin)).body.viewId
    await server.db
      .update(portalViews)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(portalViews.id, old))
    expect((await call(server, points.list, {}, withViewHeader(admin, old))).body.code).toBe('view-over')
    const passing = await makeUser(server.db, { companyId: admin.companyId })
    const last = (await open(passing)).body.viewId
    await server.db.delete(sessions).where(eq(sessions.userId, passing.id))
    expect((await call(server, points.list, {}, withViewHeader(passing, last))).status).toBe(401)
  })

  test('a withdrawn permission applies at the next call; a view shows nothing beyond it', async () => {
    const { companyId } = admin
    const manager = await makeUser(server.db, { companyId, role: 'manager' })
    const view = await openViewAs(manager)
    expect((await call(server, invoices.list, {}, view)).status).toBe(200)
    await server.db.update(memberships).set({ role: 'technician' }).where(eq(memberships.userId, manager.id))
    expect((await call(server, points.list, {}, view)).body.code).toBe('view-only')
    expect((await open(manager)).status).toBe(403)
    const limited = await makeUser(server.db, { companyId, role: 'admin', operationIds: [operation] })
    await makeTicket(server, zoe, { subject: 'Ma facture' })
    expect((await call(server, support.list, {}, await openViewAs(limited))).body.code).toBe('view-only')
    expect((await call(server, support.list, {}, await openViewAs())).body.total).toBe(1)
  })

  test('clients, API keys and participants without an account cannot be used', async () => {
    expect((await open(zoe)).status).toBe(403)
    const key = await makeApiKey(server.db, admin, { permissions: ['portal.view', 'participants.read'] })
    expect((await open({ token: key })).status).toBe(403)
    const { viewId } = (await open(admin)).body
    expect((await call(server, points.list, {}, withViewHeader({ token: key }, viewId))).body.code).toBe('view-only')
    const unknown = await makeParticipant(server.db, { companyId: admin.companyId })
    expect((await open(admin, unknown.id)).body.detail).toContain('n’a pas encore de portail')
  })

  test('a limited user cannot view a portal with a participant of another operation', async () => {
    const { companyId } = admin
    const limited = await makeUser(server.db, { companyId, role: 'admin', operationIds: [operation] })
    const view = await openViewAs(limited)
    const { id: participantId } = await makeParticipant(server.db, { companyId })
    await makeParticipation(server.db, { companyId, operationId: elsewhere, participantId })
    expect((await call(server, points.list, {}, view)).status).toBe(200)
    await server.db.insert(portalHolders).values({ companyId, participantId, userId: zoe.id })
    expect((await open(limited)).status).toBe(409)
    expect((await call(server, points.list, {}, view)).body.code).toBe('view-over')
    await server.db.delete(portalHolders).where(eq(portalHolders.participantId, participantId))
    expect((await call(server, points.list, {}, view)).status).toBe(200)
  })

  test('a limited user can view a portal within their operations', async () => {
    const { companyId } = admin
    const limited = await makeUser(server.db, { companyId, role: 'admin', operationIds: [operation] })
    const view = await openViewAs(limited)
    expect((await call(server, points.list, {}, view)).status).toBe(200)
    const other = await makeUser(server.db, { companyId, role: 'admin', operationIds: [elsewhere] })
    expect((await open(other)).status).toBe(404)
    const second = await makeParticipant(server.db, { companyId, userId: zoe.id })
    await makeParticipation(server.db, { companyId, operationId: elsewhere, participantId: second.id })
    expect((await open(limited)).status).toBe(409)
    expect((await call(server, points.list, {}, view)).body.code).toBe('view-over')
  })
})
