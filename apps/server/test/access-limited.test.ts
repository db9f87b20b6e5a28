import { endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { PERMISSIONS } from '@voisol/contract/permissions'
import { beforeAll, describe, expect, test } from 'vitest'
import { consents } from '../src/db/schema/index.ts'
import { FEED_QUERIES } from './access-analytics.ts'
import { formatEndpoint } from './access-bodies.ts'
import { SECRET } from './access-makers.ts'
import { expectNotFoundForStranger } from './access-unknown.ts'
import { call } from './client.ts'
import { makeApiKey, makeCompany, makeUser } from './factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from './factories-energy.ts'
import { useServer } from './server.ts'
import { watchRows } from './watched-rows.ts'

const server = useServer()
beforeAll(() => watchRows(server))

/** Calls across operations are refused to a limited person at once, which the loop of roles checks. */
const isLocal = ({ access }: Endpoint) => {
  const permission = typeof access === 'object' && access.permission
  return Boolean(permission && !('whole' in PERMISSIONS[permission]))
}
const local = endpoints.filter(isLocal)

describe('a person limited to one operation cannot find or change anything of the others', () => {
  test.each(local.filter((e) => e.params).map((e) => [formatEndpoint(e), e] as const))('%s', async (_, e) => {
    const owner = await makeUser(server.db)
    const { companyId } = owner
    const { id } = await makeOperation(server.db, { companyId })
    await expectNotFoundForStranger(
      server,
      e,
      owner,
      await makeUser(server.db, { companyId, role: 'admin', operationIds: [id] }),
    )
    const { permission } = e.access as { permission: never } // every local endpoint has one
    const key = await makeApiKey(server.db, owner, { permissions: [permission], operationIds: [id] })
    await expectNotFoundForStranger(server, e, owner, { token: key })
  })
})

const QUERIES: Record<string, Record<string, string>> = {
  ...FEED_QUERIES,
  'GET /api/consents': {},
  'GET /api/mandates/text': { creditorId: '00000000-0000-4000-8000-000000000000' },
  'GET /api/energy/production': { startDate: '2026-03-01', endDate: '2026-03-08' },
  'GET /api/energy/consumption': { startDate: '2026-03-01', endDate: '2026-03-08' },
}
const WEEK = { from: '2026-03-01', to: '2026-03-08', measure: 'produced', granularity: 'day' }

describe('lists contain nothing of the other operations', () => {
  let token: string
  let own: string
  let foreign: { operationId: string; participantId: string; pointId: string }
  beforeAll(async () => {
    const { id: companyId } = await makeCompany(server.db)
    own = (await makeOperation(server.db, { companyId })).id
    token = (await makeUser(server.db, { companyId, role: 'admin', operationIds: [own] })).token
    const { id: operationId } = await makeOperation(server.db, { companyId, name: SECRET, status: 'active' })
    const { id: participantId } = await makeParticipant(server.db, { companyId, name: SECRET, email: '' })
    const { id: pointId } = await makePoint(server.db, { companyId, label: SECRET })
    await makeParticipation(server.db, { companyId, operationId, participantId, pointId })
    const given = { purpose: 'collection', textVersion: '2026-01', method: 'paper', givenAt: new Date() }
    const expiresOn = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    await server.db.insert(consents).values({ companyId, participantId, ...given, expiresOn, recordedBy: SECRET })
    foreign = { operationId, participantId, pointId }
  })

  const lists = local.filter((e) => e.method === 'GET' && !e.params)
  test.each(lists.map((e) => [formatEndpoint(e), e] as const))('%s', async (_, e) => {
    const { text, status } = await call(server, e, { query: { ...WEEK, ...QUERIES[formatEndpoint(e)] } }, { token })
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('consentement expire')
    expect([200, 422]).toContain(status)
    for (const [key, id] of Object.entries(foreign)) {
      if (!e.query || !(key in e.query.shape)) continue
      const needed = e.query.shape.operationId?.safeParse(undefined).success === false && { operationId: own }
      const asked = { ...WEEK, ...QUERIES[formatEndpoint(e)], ...needed, [key]: id }
      expect([formatEndpoint(e), key, (await call(server, e, { query: asked }, { token })).status]).toEqual([
        formatEndpoint(e),
        key,
        404,
      ])
    }
  })
})
