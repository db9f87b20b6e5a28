import { apiKeys } from '@voisol/contract/api-keys'
import { energy } from '@voisol/contract/energy'
import { ownFeed } from '@voisol/contract/own-feed'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { buildCurveDay, makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
let admin: Person
let client: Person
let neighbour: Person
const yesterday = () => addDays(getToday(), -1)

beforeAll(async () => {
  const { db } = server
  admin = await makeUser(db)
  const { companyId } = admin
  client = await makeUser(db, { companyId, role: 'client' })
  neighbour = await makeUser(db, { companyId, role: 'client' })
  const { id: operationId } = await makeOperation(db, { companyId, status: 'active' })
  const mine = await makeMeter(db, { companyId, operationId, userId: client.id })
  const theirs = await makeMeter(db, { companyId, operationId, userId: neighbour.id })
  const days = [buildCurveDay(mine.id, yesterday(), 1000), buildCurveDay(theirs.id, yesterday(), 3000)]
  await storeReadingsAndNotify(db, companyId, days, { source: 'model', receivedAt: new Date() })
})

const make = async (who: Person, scopes: string[] = ['energy.read']) => {
  const { body, status } = await call(server, ownFeed.create, { body: { name: 'Maison', scopes } }, who)
  expect(status).toBe(200)
  return body
}
const days = { query: { from: addDays(getToday(), -2), to: getToday(), format: 'json' } }

test('a token reads the figures of its owner, and a gap is not zero', async () => {
  const { token } = await make(client)
  const { body } = await call(server, ownFeed.figures, {}, { token })
  expect(body.lastDay).toMatchObject({ from: yesterday(), consumedKwh: 24, producedKwh: 0, receivedRate: 1 })
  expect(JSON.parse((await call(server, ownFeed.days, days, { token })).text)).toEqual([
    expect.objectContaining({ day: addDays(getToday(), -2), consumed_kwh: null }),
    expect.objectContaining({ day: yesterday(), consumed_kwh: 24, local_kwh: null }),
  ])
  const other = await make(neighbour)
  expect((await call(server, ownFeed.figures, {}, { token: other.token })).body.lastDay.consumedKwh).toBe(72)
})

test('a spreadsheet can send the token in the URL, in both CSV dialects', async () => {
  const { token } = await make(client)
  const read = (more: object) =>
    call(server, ownFeed.days, { query: { ...days.query, format: 'csv', key: token, ...more } })
  expect((await read({})).text.split('\r\n')[2]).toBe(`${yesterday()};24;;;;;`)
  expect((await read({ dialect: 'rfc' })).text.split('\r\n')[0]).toBe(
    'day,consumed_kwh,local_kwh,grid_kwh,produced_kwh,shared_kwh,surplus_kwh',
  )
  // Other endpoints refuse a token in the URL, since URLs are logged in more places than headers.
  const elsewhere = await call(server, energy.summary, { query: { from: yesterday(), to: getToday(), key: token } })
  expect(elsewhere.status).toBe(401)
  expect((await call(server, ownFeed.figures, { query: { key: client.token } })).status).toBe(401)
})

test('a token opens only its own scopes and nothing else of the portal', async () => {
  const { token } = await make(client)
  expect((await call(server, ownFeed.invoices, {}, { token })).status).toBe(403)
  expect((await call(server, energy.summary, { query: { from: yesterday(), to: getToday() } }, { token })).status).toBe(
    403,
  )
  expect((await call(server, ownFeed.tokens, {}, { token })).status).toBe(403)
  const both = await make(client, ['energy.read', 'invoices.read'])
  expect((await call(server, ownFeed.invoices, { query: { format: 'json' } }, both)).body).toEqual([])
})

test('a revoked token is refused; tokens are their owner’s and not listed with the company’s keys', async () => {
  const { token, id } = await make(client)
  const names = (items: { id: string }[]) => items.map((one) => one.id)
  expect(names((await call(server, ownFeed.tokens, {}, client)).body.items)).toContain(id)
  expect(names((await call(server, apiKeys.list, {}, admin)).body.items)).not.toContain(id)
  expect((await call(server, ownFeed.revoke, { params: { id } }, neighbour)).status).toBe(404)
  expect((await call(server, apiKeys.revoke, { params: { id } }, admin)).status).toBe(404)
  expect((await call(server, ownFeed.revoke, { params: { id } }, client)).status).toBe(200)
  expect((await call(server, ownFeed.figures, {}, { token })).status).toBe(401)
})

test('tokens of a former member stop working; an organiser reads the whole operation with an API key', async () => {
  const leaver = await makeUser(server.db, { companyId: admin.companyId, role: 'client' })
  const { token } = await make(leaver)
  expect((await call(server, ownFeed.figures, {}, { token })).body.lastDay).toBeNull()
  await server.db.update(memberships).set({ disabledAt: new Date() }).where(eq(memberships.userId, leaver.id))
  expect((await call(server, ownFeed.figures, {}, { token })).status).toBe(401)
  const key = await makeApiKey(server.db, admin, { permissions: ['energy.read'] })
  expect((await call(server, ownFeed.figures, {}, { token: key })).body.lastDay.consumedKwh).toBe(96)
})

test('allows at most ten tokens, each with at least one scope', async () => {
  const many = await makeUser(server.db, { companyId: admin.companyId, role: 'client' })
  const none = await call(server, ownFeed.create, { body: { name: 'Vide', scopes: [] } }, many)
  expect(none.status).toBe(422)
  for (let n = 0; n < 10; n++) await make(many)
  expect((await call(server, ownFeed.create, { body: { name: 'Onze', scopes: ['energy.read'] } }, many)).status).toBe(
    409,
  )
})
