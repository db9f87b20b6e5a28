import { apiDocs } from '@voisol/contract/api-docs'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeCompany, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { companies, sessions } from '../../../db/schema/index.ts'
import { CALL_EXAMPLES, documentedEndpoints } from './call-examples.ts'
import { getEndpointDocs } from './endpoint-docs.ts'
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts'

const server = useServer()
beforeEach(() => server.deps.aside.$client.query('delete from throttles'))

describe('documentation content', () => {
  test.each(documentedEndpoints.map((shown) => [shown.id, shown] as const))(
    'the example of %s is valid against the contract',
    (id, { endpoint }) => {
      const { params, query, body, response } = CALL_EXAMPLES[id]
      const holds = (schema: unknown, value: unknown) =>
        schema instanceof z.ZodType ? schema.parse(value) : expect(value).toBeUndefined()
      holds(endpoint.params, params)
      if (query) holds(endpoint.query, query)
      holds(endpoint.body, body)
      expect(holds(endpoint.response, response)).toEqual(response)
    },
  )

  test('every field has a type and a description, and every description has a field', () => {
    const bare = getEndpointDocs().flatMap(({ id, fields }) =>
      fields.filter(({ description, type }) => !description.trim() || !type).map(({ name }) => `${id} ${name}`),
    )
    expect(bare).toEqual([])
    const used = new Set(getEndpointDocs().flatMap(({ fields }) => fields.map(({ description }) => description)))
    const said = (text: string) => [...used].some((one) => one.startsWith(text))
    expect(Object.values(FIELD_DESCRIPTIONS).filter((text) => !said(text))).toEqual([])
  })

  test('field types are written in French', () => {
    const types = getEndpointDocs().flatMap(({ fields }) => fields.map(({ type }) => type))
    for (const type of [
      'texte',
      'nombre entier',
      'date',
      'identifiant',
      'liste d’objets',
      'booléen',
      'date et heure ou null',
    ])
      expect(types).toContain(type)
    expect(types.join(' ')).not.toMatch(/\b(string|number|integer|boolean|object|array)\b/)
  })

  test('each endpoint says whether it needs a bearer token', () => {
    const open = getEndpointDocs().filter(({ signed }) => !signed)
    expect(open.map(({ id }) => id)).toEqual(['auth.login', 'auth.refresh'])
    for (const { access } of open) expect(access).toBe('Ouvert à tous.')
  })

  test('documents every endpoint that the specification names', () => {
    const known = getEndpointDocs().map(({ method, path }) => `${method} ${path}`)
    for (const wanted of [
      'POST /api/auth/login',
      'POST /api/auth/refresh',
      'GET /api/acc-operations',
      'POST /api/acc-operations',
      'GET /api/energy/production',
      'GET /api/energy/consumption',
      'POST /api/webhooks',
    ])
      expect(known).toContain(wanted)
  })
})

const tryOut = (id: string, query: Record<string, string> = {}) => call(server, apiDocs.tryOut, { body: { id, query } })

describe('documentation over HTTP', () => {
  test('refuses every try-out when no demo company exists', async () => {
    const { status, body } = await call(server, apiDocs.get)
    expect(status).toBe(200)
    expect(body.demo).toBe(false)
    expect(body.endpoints).toHaveLength(documentedEndpoints.length)
    const refused = await tryOut('auth.me')
    expect(refused.status).toBe(404)
    expect(refused.body.message).toBe('Il n’y a pas de démonstration sur cette installation.')
  })

  test('serves the PDF as an attachment and builds it only once', async () => {
    const first = await server.app.inject(apiDocs.pdf.path)
    expect(first.statusCode).toBe(200)
    expect(first.headers['content-type']).toContain('application/pdf')
    expect(first.headers['content-disposition']).toContain('documentation-api-voisol.pdf')
    expect(first.rawPayload.length).toBeLessThan(300_000)
    expect((await server.app.inject(apiDocs.pdf.path)).rawPayload.equals(first.rawPayload)).toBe(true)
  })
})

describe('try-out with the reader’s own API key', () => {
  const tryWith = (key: string, headers = {}) =>
    call(server, apiDocs.tryOut, { body: { id: 'operations.list', query: {}, key } }, { headers })

  test('runs a read on the company of the key, within the key’s permissions', async () => {
    const admin = await makeUser(server.db)
    await makeOperation(server.db, { companyId: admin.companyId, name: 'Les Berges' })
    const key = await makeApiKey(server.db, admin, { permissions: ['operations.read'] })
    const { body } = await tryWith(key)
    expect([body.status, JSON.parse(body.body).items.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      ['Les Berges'],
    ])
    const less = await makeApiKey(server.db, admin, { permissions: ['energy.read'] })
    expect((await tryWith(less)).body.status).toBe(403)
    expect((await tryWith('un mot de passe')).body.issues).toMatchObject([{ path: 'key' }])
  })

  test('applies the key’s IP restrictions to the address of the reader', async () => {
    const admin = await makeUser(server.db)
    const key = await makeApiKey(server.db, admin, {
      permissions: ['operations.read'],
      allowedNetworks: ['203.0.113.0/24'],
    })
    const { body } = await tryWith(key)
    expect(JSON.parse(body.body).code).toBe('key-address')
  })
})

describe('try-out on the demo company', () => {
  let companyId: number
  beforeEach(async () => {
    if (companyId) return
    companyId = (await makeCompany(server.db)).id
    await server.db.update(companies).set({ isDemo: true }).where(eq(companies.id, companyId))
    await makeUser(server.db, { companyId })
  })

  test('runs a read on demo data without exposing the demo session token', async () => {
    await makeOperation(server.db, { companyId, name: 'Tilleuls' })
    const stranger = await makeUser(server.db)
    await makeOperation(server.db, { companyId: stranger.companyId, name: 'Secret du voisin' })
    const { status, body, text } = await tryOut('operations.list', { limit: '5' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ request: 'GET /api/acc-operations?limit=5', status: 200 })
    const answer = JSON.parse(body.body)
    expect(answer.items.map(({ name }: { name: string }) => name)).toEqual(['Tilleuls'])
    expect(text).not.toContain('Secret du voisin')
    expect(Object.keys(body).sort()).toEqual(['body', 'contentType', 'milliseconds', 'request', 'status'])
    expect((await call(server, apiDocs.get)).body.demo).toBe(true)
    const one = await tryOut('operations.get', { id: answer.items[0].id })
    expect(JSON.parse(one.body.body).name).toBe('Tilleuls')
  })

  test('returns the error of the inner call unchanged', async () => {
    const { status, body } = await tryOut('energy.production', { startDate: 'hier' })
    expect(status).toBe(200)
    expect(body.status).toBe(422)
    expect(body.contentType).toContain('problem+json')
  })

  test('signs in again when the demo session has been lost', async () => {
    await tryOut('auth.me')
    await server.db.delete(sessions).where(eq(sessions.companyId, companyId))
    expect((await tryOut('auth.me')).body.status).toBe(200)
  })

  test.each(['auth.login', 'operations.create', 'webhooks.remove', 'users.list', 'audit.list', '', '__proto__'])(
    'refuses a call that is not a documented read: %s',
    async (id) => {
      const { status, body } = await tryOut(id)
      expect(status).toBe(422)
      expect(body.message).toContain('ne peut pas être essayé')
    },
  )

  test('requires the path identifier and refuses one that changes the path', async () => {
    expect((await tryOut('operations.get')).status).toBe(422)
    const { body } = await tryOut('operations.get', { id: '../users' })
    expect(body.request).toBe('GET /api/acc-operations/..%2Fusers')
    expect(body.status).toBe(404)
  })

  test('truncates a long response', async () => {
    for (let i = 0; i < 25; i++) await makeOperation(server.db, { companyId })
    const { body } = await tryOut('operations.list', { size: '100' })
    expect(body.body.length).toBeLessThan(20_100)
    expect(body.body).toContain('… (réponse coupée à 20 ko)')
  })

  test('limits the rate of try-outs by IP address', async () => {
    await server.deps.aside.$client.query(
      "insert into throttles (key, count, resets_at) values ('api-docs try 127.0.0.1', 30, now() + interval '30 seconds')",
    )
    expect((await tryOut('auth.me')).status).toBe(429)
  })
})
