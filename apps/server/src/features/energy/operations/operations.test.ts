import { operations as endpoints } from '@voisol/contract/operations'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildOperationDraft, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import {
  auditEntries,
  curveDays,
  keyShares,
  keys,
  operations,
  participants,
  participations,
  points,
} from '../../../db/schema/index.ts'
import { readCsv } from '../../../files/csv.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
const create = (admin: Person, body: Record<string, unknown>) => call(server, endpoints.create, { body }, admin)
const list = (admin: Person, query: Record<string, string> = {}) => call(server, endpoints.list, { query }, admin)
const names = (body: { items: { name: string }[] }) => body.items.map((item) => item.name)

describe('creating as documented', () => {
  test('creates the operation, its participants, their points and a first key at once', async () => {
    const admin = await makeUser(server.db)
    const { status, body } = await create(admin, buildOperationDraft())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Les Jardins de Brossolette',
      status: 'pending',
      address: '12 rue Pierre-Brossolette',
      capacityWatts: 36_500,
      totalCapacity: 36,
      participants: 4,
      consumers: 3,
      producers: 1,
      method: 'default',
      completeness: null,
      receivedUntil: null,
      version: 1,
    })
    const held = await server.db.select().from(participations).where(eq(participations.operationId, body.id))
    expect(held.map((row) => row.startsOn)).toEqual([getToday(), getToday(), getToday(), getToday()])
  })

  test('requires only the name, and uses the declared power while no plant is known', async () => {
    const admin = await makeUser(server.db)
    const { body } = await create(admin, { name: 'Zac des Prés', capacity: 250 })
    expect(body).toMatchObject({ status: 'pending', totalCapacity: 250, participants: 0, perimeter: 'extended' })
  })

  test('stores a key given by PRM for the points', async () => {
    const admin = await makeUser(server.db)
    const draft = buildOperationDraft()
    const shares = draft.participants.slice(1).map(({ prm }, n) => ({ prm, share: [500_000, 300_000, 200_000][n] }))
    const { body } = await create(admin, { ...draft, key: { method: 'static', shares } })
    expect(body.method).toBe('static')
    const [key] = await server.db.select().from(keys).where(eq(keys.operationId, body.id))
    const rows = await server.db
      .select()
      .from(keyShares)
      .where(eq(keyShares.keyId, key?.id ?? ''))
    expect(rows.map((row) => row.share).sort()).toEqual([200_000, 300_000, 500_000])
  })

  test('refuses the whole call for one wrong line, and names it', async () => {
    const admin = await makeUser(server.db)
    const draft = buildOperationDraft()
    const wrong = {
      ...draft,
      participants: draft.participants.with(3, { ...draft.participants[0], prm: '12' } as never),
    }
    const answer = await create(admin, wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.issues).toMatchObject([{ path: 'participants.3.prm' }])
    const twice = { ...draft, participants: [...draft.participants, draft.participants[1]] }
    const again = await create(admin, twice)
    expect(again.body.issues).toMatchObject([{ path: 'participants.4.prm' }])
    for (const table of [operations, participants, points])
      expect(await server.db.select().from(table).where(eq(table.companyId, admin.companyId))).toEqual([])
  })

  test('refuses an operation with a key that names none of its points', async () => {
    const admin = await makeUser(server.db)
    const key = { method: 'static', shares: [{ prm: '99999999999999', share: 1_000_000 }] }
    const { status, body } = await create(admin, { ...buildOperationDraft(), key })
    expect(status).toBe(422)
    expect(body.issues).toMatchObject([{ path: 'key.shares.0.prm' }])
    expect((await list(admin)).body.total).toBe(0)
  })

  test('names the rule of the power cap, unless public bodies have their derogation', async () => {
    const admin = await makeUser(server.db)
    const over = await create(admin, { name: 'Grande', capacity: 5001 })
    expect(over.status).toBe(422)
    expect(over.body.issues[0].path).toBe('capacity')
    expect(over.body.issues[0].message).toMatch(/5.MW/)
    expect(over.body.issues[0].message).toMatch(/arrêté du 21/i)
    expect((await create(admin, { name: 'Grande', capacity: 5001, perimeter: 'epci' })).status).toBe(200)
    expect((await create(admin, { name: 'Île', capacity: 501, zone: 'zni' })).status).toBe(422)
  })

  test('refuses the same number twice in a company', async () => {
    const [admin, other] = [await makeUser(server.db), await makeUser(server.db)]
    const draft = { name: 'Numérotée', accNumber: 'acc00000537' }
    expect((await create(admin, draft)).body.accNumber).toBe('ACC00000537')
    expect((await create(other, draft)).status).toBe(200)
    const { status, body } = await create(admin, draft)
    expect({ status, path: body.issues[0].path }).toEqual({ status: 409, path: 'accNumber' })
    const twins = { name: 'Jumelles', accNumber: 'ACC00000538' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(admin, twins)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
  })

  test('refuses an end before the beginning', async () => {
    const { body } = await create(await makeUser(server.db), {
      name: 'X',
      startsOn: '2026-03-01',
      endsOn: '2026-03-01',
    })
    expect(body.issues).toMatchObject([{ path: 'endsOn' }])
  })
})

describe('the list of operations', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await makeUser(server.db)
    const add = (name: string, more: Partial<typeof operations.$inferInsert> = {}) =>
      makeOperation(server.db, { companyId: admin.companyId, name, ...more })
    await add('Écoquartier des Tanneries', { city: 'Lyon', capacityWatts: 900_000 })
    await add('Copropriété Bellevue', { status: 'draft', accNumber: 'ACC00000042' })
    await add('Zone des Ormes', { status: 'pending', capacityWatts: 2_500_000 })
    await makeOperation(server.db, { companyId: (await makeUser(server.db)).companyId, name: 'Ailleurs' })
  })

  test('has the documented shape, with `limit` as another name of `size`', async () => {
    const { body } = await list(admin, { page: '2', limit: '2' })
    expect(body.pagination).toEqual({ page: 2, totalPages: 2, totalItems: 3 })
    expect(body.total).toBe(3)
    expect(names(body)).toEqual(['Zone des Ormes'])
    expect(Object.keys(body.items[0])).toEqual(
      expect.arrayContaining(['id', 'name', 'status', 'participants', 'totalCapacity', 'createdAt']),
    )
    expect((await list(admin, { size: '1' })).body.pagination.totalPages).toBe(3)
  })

  test('can be searched, filtered and sorted', async () => {
    expect(names((await list(admin, { q: 'ecoquartier lyon' })).body)).toEqual(['Écoquartier des Tanneries'])
    expect(names((await list(admin, { q: '0000042' })).body)).toEqual(['Copropriété Bellevue'])
    expect(names((await list(admin, { status: 'pending' })).body)).toEqual(['Zone des Ormes'])
    expect(names((await list(admin, { sort: '-name' })).body)[0]).toBe('Zone des Ormes')
    expect(names((await list(admin, { sort: '-totalCapacity', size: '2' })).body)).toEqual([
      'Zone des Ormes',
      'Écoquartier des Tanneries',
    ])
    expect(names((await list(admin, { sort: 'status' })).body)[0]).toBe('Copropriété Bellevue')
  })

  test('exports the filtered rows', async () => {
    const query = { q: 'des', sort: '-name' }
    const { text, headers } = await call(server, endpoints.export, { query }, admin)
    expect(headers['content-type']).toContain('text/csv')
    const [header, ...rows] = readCsv(text)
    expect(header?.cells.slice(0, 3)).toEqual(['Nom', 'Numéro ACC', 'État'])
    expect(rows.map(({ cells }) => [cells[0], cells[2], cells[13]])).toEqual([
      ['Zone des Ormes', 'En préparation', '2500'],
      ['Écoquartier des Tanneries', 'En service', '900'],
    ])
    const file = await call(server, endpoints.export, { query: { format: 'xlsx' } }, admin)
    expect(file.text.slice(0, 2)).toBe('PK')
  })
})

/** The readings of a point on a day, with `present` of 96 quarter-hours. */
const reading = (companyId: number, pointId: string, day: string, present: number) => ({
  companyId,
  pointId,
  day,
  version: 1,
  step: 15,
  watts: Buffer.alloc(384),
  quality: 1,
  present,
  expected: 96,
  energy: 0,
  peak: 0,
  source: 'import',
  receivedAt: new Date(),
})

test('computes completeness as the share of readings expected from participants', async () => {
  const admin = await makeUser(server.db)
  const draft = buildOperationDraft()
  const { companyId } = admin
  const startsOn = addDays(getToday(), -10)
  const { body: made } = await create(admin, { ...draft, startsOn, participants: draft.participants.slice(0, 2) })
  const [one, other] = await server.db.select().from(points).where(eq(points.companyId, companyId))
  if (!one || !other) throw new Error('no points')
  const days = Array.from({ length: 10 }, (_, n) => addDays(startsOn, n))
  await server.db
    .insert(curveDays)
    .values([
      ...days.map((day) => reading(companyId, one.id, day, 96)),
      ...days.slice(0, 4).map((day) => reading(companyId, other.id, day, 48)),
      reading(companyId, other.id, addDays(startsOn, -1), 96),
    ])
  const { body } = await call(server, endpoints.get, { params: { id: made.id } }, admin)
  expect(body.completeness).toBeCloseTo((10 + 2) / 20, 10)
  const midnight = Temporal.PlainDate.from(getToday()).toZonedDateTime('Europe/Paris').toInstant()
  expect(Temporal.Instant.from(body.receivedUntil).equals(midnight)).toBe(true)
})

describe('updating an operation', () => {
  const FIELDS = Object.keys(endpoints.update.body.shape)
  const save = async (admin: Person, id: string, change: Record<string, unknown>) => {
    const { body } = await call(server, endpoints.get, { params: { id } }, admin)
    const same = Object.fromEntries(FIELDS.map((name) => [name, body[name]]))
    return call(server, endpoints.update, { params: { id }, body: { ...same, ...change } }, admin)
  }

  test('stores and counts the change, and adds it to the operation’s journal', async () => {
    const admin = await makeUser(server.db)
    const { id } = await makeOperation(server.db, admin)
    const { body } = await save(admin, id, { name: 'Renommée', unitPrice: 1234 })
    expect(body).toMatchObject({ name: 'Renommée', unitPrice: 1234, version: 2 })
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
    expect(entries.at(-1)?.detail).toMatchObject({ operationId: id, after: { name: 'Renommée', unitPrice: 1234 } })
  })

  test('refuses an older version and shows what was saved since', async () => {
    const admin = await makeUser(server.db)
    const { id } = await makeOperation(server.db, { companyId: admin.companyId })
    await save(admin, id, { name: 'La première' })
    const { status, body } = await save(admin, id, { name: 'La seconde', version: 1 })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'stale' })
    expect(body.issues).toEqual([{ path: 'name', message: expect.stringContaining('La première') }])
  })

  test('refuses power above the cap, no number in service, or a start after participants', async () => {
    const admin = await makeUser(server.db)
    const { companyId } = admin
    const { id } = await makeOperation(server.db, { companyId, accNumber: 'ACC00000099' })
    expect((await save(admin, id, { capacityWatts: 5_000_001 })).body.issues).toMatchObject([{ path: 'capacityWatts' }])
    expect((await save(admin, id, { accNumber: null })).body.issues).toMatchObject([{ path: 'accNumber' }])
    const { body } = await create(admin, { ...buildOperationDraft(), startsOn: '2026-02-01' })
    expect((await save(admin, body.id, { startsOn: '2026-02-02' })).body.issues).toMatchObject([{ path: 'startsOn' }])
    expect((await save(admin, body.id, { startsOn: '2026-01-15' })).status).toBe(200)
  })
})

test('hides operations from another company and from clients', async () => {
  const [admin, stranger] = [await makeUser(server.db), await makeUser(server.db)]
  const { id } = await makeOperation(server.db, { companyId: admin.companyId })
  for (const e of [endpoints.get, endpoints.overview, endpoints.remove])
    expect((await call(server, e, { params: { id } }, stranger)).status).toBe(404)
  const client = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
  expect((await list(client)).status).toBe(403)
  const still = and(eq(operations.companyId, admin.companyId), eq(operations.id, id))
  expect(await server.db.select().from(operations).where(still)).toHaveLength(1)
})
