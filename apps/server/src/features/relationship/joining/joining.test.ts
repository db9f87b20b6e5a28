import { joining } from '@voisol/contract/joining'
import { joiningDesk } from '@voisol/contract/joining-desk'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-participants.ts'
import { pdfText } from '../../../../test/pdf-text.ts'
import { useServer } from '../../../../test/server.ts'
import { keyOf } from '../../../core/link-key.ts'
import {
  applications,
  brandHosts,
  consents,
  events,
  memberships,
  participants,
  participations,
  points,
  users,
} from '../../../db/schema/index.ts'
import { today } from '../../../today.ts'
import { joiningJobs } from './jobs.ts'
import { linkUse } from './mails.ts'

const server = useServer()
const PRM = '19125759625988'

type Admin = Awaited<ReturnType<typeof makeUser>>
type House = { admin: Admin; operationId: string; slug: string }

const settingsOf = (who: { token: string }, id: string) => call(server, joiningDesk.settings, { params: { id } }, who)

async function openHouse(isOpen = true): Promise<House> {
  const admin = await makeUser(server.db)
  const operation = await makeOperation(server.db, {
    companyId: admin.companyId,
    name: 'Les Tilleuls',
    status: 'active',
    unitPrice: 1337,
  })
  const shown = (await settingsOf(admin, operation.id)).body
  const { slug, presentation, conditions, agreement } = shown
  const body = { slug, isOpen, presentation, conditions, agreement, noticeDays: 45, version: 0 }
  const saved = await call(server, joiningDesk.saveSettings, { params: { id: operation.id }, body }, admin)
  expect(saved.status).toBe(200)
  return { admin, operationId: operation.id, slug: `${slug}-${admin.companyId}` }
}

const pageOf = (slug: string, host = 'localhost') =>
  server.app.inject({ url: `/api/join/${slug}`, headers: { host } }).then(({ statusCode }) => statusCode)

let people = 0
const draft = (more: Record<string, unknown> = {}) => ({
  firstName: 'Inès',
  lastName: 'Garnier',
  email: `ines-${++people}@exemple.fr`,
  address: '7 rue Clavel',
  postalCode: '69007',
  city: 'Lyon',
  prm: PRM,
  ...more,
})
const apply = (slug: string, body: object) => call(server, joining.apply, { params: { slug }, body })

async function rowOf({ admin }: House, email: string) {
  const [row] = await server.db
    .select()
    .from(applications)
    .where(and(eq(applications.companyId, admin.companyId), eq(applications.email, email)))
  if (!row) throw new Error('no application')
  return row
}
const keyFor = (house: House, id: string) => keyOf(server.deps.secrets, linkUse(house.admin.companyId), id)
const verify = (house: House, key: string) =>
  call(server, joining.verify, { params: { slug: house.slug }, body: { key } })
const sign = (house: House, key: string, hash: string, given = ['collection', 'advice']) =>
  call(server, joining.sign, {
    params: { slug: house.slug },
    body: { key, hash, name: 'Inès Garnier', consents: given },
  })

/** As far as the organiser's desk. */
async function signed(house: House, more: Record<string, unknown> = {}) {
  const body = draft(more)
  expect((await apply(house.slug, body)).status).toBe(200)
  const row = await rowOf(house, String(body.email))
  const key = keyFor(house, row.id)
  const shown = (await verify(house, key)).body
  const answer = await sign(house, key, shown.hash)
  expect(answer.status).toBe(200)
  return { id: row.id, key, email: String(body.email), shown: answer.body }
}
const detail = async (who: { token: string }, id: string) =>
  (await call(server, joiningDesk.get, { params: { id } }, who)).body
const accept = (who: { token: string }, id: string, body: { on: string; version: number }) =>
  call(server, joiningDesk.accept, { params: { id }, body }, who)

test('a page is there while it is open, at its own address and under its own host alone', async () => {
  const [house, other] = [await openHouse(), await openHouse()]
  const closed = await openHouse(false)
  expect([await pageOf(house.slug), await pageOf(closed.slug), await pageOf('les-tilleuls')]).toEqual([200, 404, 404])
  expect(await pageOf(`les-tilleuls-${house.admin.companyId}9999`)).toBe(404)
  const proved = { companyId: other.admin.companyId, host: 'autre.exemple.fr', token: 'x', provedAt: new Date() }
  await server.db.insert(brandHosts).values(proved)
  expect([await pageOf(house.slug, 'autre.exemple.fr'), await pageOf(other.slug, 'autre.exemple.fr')]).toEqual([
    404, 200,
  ])
})

test('persons are counted from five on, never named; organisations that produce are', async () => {
  const house = await openHouse()
  const { companyId } = house.admin
  const seat = { companyId, operationId: house.operationId, startsOn: '2025-01-01' }
  const produce = async (kind: string, name: string) => {
    const participantId = (await makeParticipant(server.db, { companyId, kind, name })).id
    const pointId = (await makePoint(server.db, { companyId, direction: 'production' })).id
    await makeParticipation(server.db, { ...seat, participantId, pointId })
  }
  await produce('organisation', 'Mairie des Pentes')
  await produce('person', 'Odile Secrète')
  for (let n = 0; n < 4; n++) await makeParticipation(server.db, seat)
  const read = async () => (await call(server, joining.page, { params: { slug: house.slug } })).body
  expect(await read()).toMatchObject({
    price: 1337,
    consumers: null,
    year: null,
    producers: { named: ['Mairie des Pentes'], others: 1 },
  })
  await makeParticipation(server.db, seat)
  const five = await read()
  expect(five.consumers).toBe(5)
  expect(JSON.stringify(five)).not.toMatch(/Odile|Sacha|1900000/)
})

test('without measures the estimate says so', async () => {
  const { slug } = await openHouse()
  const query = { dwelling: 'household', yearlyKwh: '3150' }
  const { status, body } = await call(server, joining.estimate, { params: { slug }, query })
  expect([status, body.enough, body.savingCents]).toEqual([200, false, null])
})

test('from the form to a dated participation, with its proof, its agreements and the way into the portal', async () => {
  const house = await openHouse()
  const { id, key, email, shown } = await signed(house)
  expect(shown).toMatchObject({ state: 'waiting', hasPaper: true, organiser: expect.any(String) })
  const paper = await server.app.inject({ url: `/api/join/${house.slug}/paper?key=${key}` })
  const words = await pdfText(paper.rawPayload)
  expect(words).toMatch(/Inès Garnier/)
  expect(words.replace(/\s/g, '')).toContain(shown.hash)
  const waiting = await detail(house.admin, id)
  expect(waiting).toMatchObject({ state: 'waiting', prm: PRM, firstOn: addDays(today(), 15), remarks: [] })
  const early = await accept(house.admin, id, { on: addDays(today(), 14), version: waiting.version })
  expect([early.status, early.body.issues?.[0]?.path]).toEqual([422, 'on'])
  const on = addDays(today(), 21)
  // Several press at once: one of them lets the person in.
  const answers = await Promise.all([1, 2, 3].map(() => accept(house.admin, id, { on, version: waiting.version })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const [person, second] = await server.db.select().from(participants).where(eq(participants.email, email))
  expect(second).toBeUndefined()
  const seats = await server.db
    .select()
    .from(participations)
    .where(eq(participations.participantId, person?.id ?? ''))
  expect(seats.map(({ startsOn, endsOn, agreementSignedOn }) => [startsOn, endsOn, agreementSignedOn])).toEqual([
    [on, null, today()],
  ])
  const given = await server.db
    .select()
    .from(consents)
    .where(eq(consents.participantId, person?.id ?? ''))
  expect(given.map(({ purpose, method }) => [purpose, method]).sort()).toEqual([
    ['advice', 'joining'],
    ['collection', 'joining'],
  ])
  const [account] = await server.db.select().from(users).where(eq(users.email, email))
  const [place] = await server.db
    .select()
    .from(memberships)
    .where(eq(memberships.userId, account?.id ?? ''))
  expect([place?.role, place?.acceptedAt, person?.userId]).toEqual(['client', null, account?.id])
  expect((await verify(house, key)).body).toMatchObject({ state: 'accepted', effectiveOn: on })
  const told = await server.db.select().from(events).where(eq(events.companyId, house.admin.companyId))
  expect(told.map(({ name }) => name)).toEqual([
    'joining.changed',
    'application.received',
    'participation.started',
    'participant.created',
    'consent.given',
    'consent.given',
    'application.decided',
  ])
})

test('nobody signs before their address is proved, another text, without the readings, or when it is closed', async () => {
  const house = await openHouse()
  const body = draft()
  await apply(house.slug, body)
  const row = await rowOf(house, body.email)
  const key = keyFor(house, row.id)
  const hash = 'a'.repeat(64)
  expect((await sign(house, key, hash)).status).toBe(409)
  const shown = (await verify(house, key)).body
  expect((await sign(house, key, hash)).body.code).toBe('stale')
  expect((await sign(house, key, shown.hash, ['advice'])).status).toBe(422)
  const other = await openHouse()
  const foreign = keyFor(other, row.id)
  const forged = key.replace(/\.(.)/, (_, sign) => (sign === 'A' ? '.B' : '.A'))
  for (const wrong of [foreign, forged, row.id])
    expect((await verify(house, wrong)).status, wrong).toBeGreaterThanOrEqual(400)
  const now = (await settingsOf(house.admin, house.operationId)).body
  const { slug, presentation, conditions, agreement, noticeDays, version } = now
  const shut = { slug, presentation, conditions, agreement, noticeDays, version, isOpen: false }
  await call(server, joiningDesk.saveSettings, { params: { id: house.operationId }, body: shut }, house.admin)
  expect((await sign(house, key, shown.hash)).status).toBe(409)
  expect((await verify(house, key)).body.state).toBe('verified')
})

test('the same asked twice is one request, a script none, and a far commune is refused', async () => {
  const house = await openHouse()
  const body = draft()
  await Promise.all([apply(house.slug, body), apply(house.slug, body)])
  await apply(house.slug, { ...body, lastName: 'Garnier-Roux' })
  await apply(house.slug, draft({ website: 'https://spam' }))
  const rows = await server.db.select().from(applications).where(eq(applications.companyId, house.admin.companyId))
  expect(rows.map(({ name, state }) => [name, state])).toEqual([['Inès Garnier-Roux', 'draft']])
  const { companyId } = house.admin
  const pointId = (await makePoint(server.db, { companyId, latitude: 45.75, longitude: 4.84 })).id
  await makeParticipation(server.db, { companyId, operationId: house.operationId, pointId })
  const far = await apply(house.slug, draft({ postalCode: '59000', city: 'Lille' }))
  expect([far.status, far.body.issues?.[0]?.path]).toEqual([422, 'city'])
})

test('a stranger who types the name and address of somebody does not become them', async () => {
  const house = await openHouse()
  const { companyId } = house.admin
  const place = { address: '7 rue Clavel', postalCode: '69007', city: 'Lyon', siren: '' }
  const victim = await makeParticipant(server.db, {
    companyId,
    ...place,
    name: 'Inès Garnier',
    firstName: 'Inès',
    lastName: 'Garnier',
    email: 'la-vraie@exemple.fr',
  })
  const { id } = await signed(house)
  const { version, firstOn } = await detail(house.admin, id)
  expect((await accept(house.admin, id, { on: firstOn, version })).status).toBe(200)
  const [same] = await server.db.select().from(participants).where(eq(participants.id, victim.id))
  expect([same?.email, same?.userId]).toEqual(['la-vraie@exemple.fr', null])
  expect(await server.db.select().from(participations).where(eq(participations.participantId, victim.id))).toEqual([])
})

test('a point that is taken is told, and accepting it changes nothing', async () => {
  const house = await openHouse()
  const { companyId } = house.admin
  const pointId = (await makePoint(server.db, { companyId, prm: PRM })).id
  await makeParticipation(server.db, { companyId, operationId: house.operationId, pointId })
  const { id } = await signed(house)
  const waiting = await detail(house.admin, id)
  expect(waiting.remarks[0]).toMatchObject({ severity: 'refused', message: expect.stringMatching(/déjà part/) })
  expect((await accept(house.admin, id, { on: waiting.firstOn, version: waiting.version })).status).toBe(409)
  expect((await detail(house.admin, id)).state).toBe('waiting')
  expect(await server.db.select().from(points).where(eq(points.companyId, companyId))).toHaveLength(1)
})

test('a refusal has its reason, and is the end of it; others and the limited see nothing', async () => {
  const house = await openHouse()
  const { id, key } = await signed(house)
  const { version } = await detail(house.admin, id)
  const other = await openHouse()
  const { companyId } = house.admin
  const limited = await makeUser(server.db, { companyId, operationIds: [other.operationId] })
  for (const who of [other.admin, limited]) {
    expect((await call(server, joiningDesk.get, { params: { id } }, who)).status).toBe(404)
    expect((await call(server, joiningDesk.list, { query: {} }, who)).body.total).toBe(0)
    expect((await accept(who, id, { on: addDays(today(), 30), version })).status).toBe(404)
  }
  const near = await makeUser(server.db, { companyId, operationIds: [house.operationId] })
  const refuse = (reason: string) =>
    call(server, joiningDesk.refuse, { params: { id }, body: { reason, version } }, near)
  expect((await refuse('non')).status).toBe(422)
  expect((await refuse('Votre immeuble est hors du périmètre.')).status).toBe(200)
  expect((await verify(house, key)).body).toMatchObject({
    state: 'refused',
    reason: expect.stringMatching(/périmètre/),
  })
  const withdrawal = await call(server, joining.withdraw, { params: { slug: house.slug }, body: { key } })
  expect(withdrawal.status).toBe(409)
})

test('a limited administrator lets people into their own operation', async () => {
  const house = await openHouse()
  const near = await makeUser(server.db, { companyId: house.admin.companyId, operationIds: [house.operationId] })
  const { id } = await signed(house)
  const { version, firstOn } = await detail(near, id)
  expect((await accept(near, id, { on: firstOn, version })).body.state).toBe('accepted')
})

test('what is never signed goes after thirty days', async () => {
  const house = await openHouse()
  const [old, fresh] = [draft(), draft()]
  for (const body of [old, fresh]) await apply(house.slug, body)
  const { id } = await rowOf(house, old.email)
  const past = new Date(Date.now() - 31 * 86_400_000)
  await server.db.update(applications).set({ createdAt: past }).where(eq(applications.id, id))
  await joiningJobs['joining.tidy'].run(server.deps, {}, { id: '' } as never) // the row is not read
  const left = await server.db.select().from(applications).where(eq(applications.companyId, house.admin.companyId))
  expect(left.map(({ email }) => email)).toEqual([fresh.email])
})

async function leaver(house: House) {
  const { companyId } = house.admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const participantId = (await makeParticipant(server.db, { companyId, userId: client.id, email: client.email })).id
  const stay = await makeParticipation(server.db, { companyId, operationId: house.operationId, participantId })
  return { client, stay }
}
const depart = async (client: { token: string }, participationId: string, on: string) => {
  const asked = { kind: 'move' as const, on }
  const params = { id: participationId }
  const shown = (await call(server, joiningDesk.departureText, { params, query: asked }, client)).body
  const body = { ...asked, newAddress: '3 quai Perrache, Lyon', name: 'Sacha', hash: shown?.hash ?? 'a'.repeat(64) }
  return call(server, joiningDesk.depart, { params, body }, client)
}

test('leaving: the notice is told, signed for, reviewed, and the participation ends on that day', async () => {
  const house = await openHouse()
  const { client, stay } = await leaver(house)
  const before = (await call(server, joiningDesk.departures, {}, client)).body
  const firstOn = addDays(today(), 45)
  expect(before).toMatchObject({ seats: [{ participationId: stay.id, noticeDays: 45, firstOn }], items: [] })
  expect((await depart(client, stay.id, addDays(firstOn, -1))).body.issues?.[0]?.path).toBe('on')
  const answers = await Promise.all([depart(client, stay.id, firstOn), depart(client, stay.id, firstOn)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const stranger = await leaver(house)
  expect((await depart(stranger.client, stay.id, firstOn)).status).toBe(404)
  const [row] = (await call(server, joiningDesk.list, { query: { kind: 'move' } }, house.admin)).body.items
  expect(row).toMatchObject({ state: 'waiting', wantedOn: firstOn, newAddress: '3 quai Perrache, Lyon' })
  const paper = { params: { id: row.id } }
  expect((await call(server, joiningDesk.paper, paper, stranger.client)).status).toBe(404)
  expect((await call(server, joiningDesk.paper, paper, client)).status).toBe(200)
  const sooner = await accept(house.admin, row.id, { on: addDays(firstOn, -1), version: row.version })
  expect(sooner.status).toBe(422)
  expect((await accept(house.admin, row.id, { on: firstOn, version: row.version })).status).toBe(200)
  const [ended] = await server.db.select().from(participations).where(eq(participations.id, stay.id))
  expect(ended?.endsOn).toBe(firstOn)
})

test('a departure is taken back while nobody has decided, and can be asked for again', async () => {
  const house = await openHouse()
  const { client, stay } = await leaver(house)
  const on = addDays(today(), 60)
  const { id, version } = (await depart(client, stay.id, on)).body
  const back = () => call(server, joiningDesk.stay, { params: { id }, body: { version } }, client)
  const others = { params: { id }, body: { version } }
  expect((await call(server, joiningDesk.stay, others, house.admin)).status).toBe(404)
  expect((await back()).body.state).toBe('withdrawn')
  expect((await back()).status).toBe(409)
  expect((await accept(house.admin, id, { on, version: version + 1 })).status).toBe(409)
  expect((await depart(client, stay.id, on)).status).toBe(200)
})

test('two who write the page at once: one is told; another text is another version', async () => {
  const house = await openHouse()
  const params = { id: house.operationId }
  const now = (await settingsOf(house.admin, house.operationId)).body
  const { slug, isOpen, presentation, conditions, agreement, noticeDays, version } = now
  const body = { slug, isOpen, presentation, conditions, agreement, noticeDays, version }
  const save = (more: object) =>
    call(server, joiningDesk.saveSettings, { params, body: { ...body, ...more } }, house.admin)
  const answers = await Promise.all([save({ noticeDays: 31 }), save({ noticeDays: 33 })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await save({ version: version + 1 })).body.agreementVersion).toBe(1)
  expect((await save({ version: version + 2, agreement: 'Un autre accord.' })).body.agreementVersion).toBe(2)
  expect((await save({ version: version + 3, agreement: '' })).body.issues?.[0]?.path).toBe('agreement')
})
