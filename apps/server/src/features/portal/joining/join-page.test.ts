import { joining } from '@voisol/contract/joining'
import { joiningDesk } from '@voisol/contract/joining-management'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { createJoiningHelpers } from '../../../../test/factories-portal.ts'
import { useServer } from '../../../../test/server.ts'
import { brandHosts, participations } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
const { settingsOf, openHouse, pageOf, accept, leaver, depart } = createJoiningHelpers(server)

test('a page exists only while open, at its own address and on the company’s own host', async () => {
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

test('counts persons from five on without names, and names producing organisations', async () => {
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

test('the estimate says when there are no measurements', async () => {
  const { slug } = await openHouse()
  const query = { dwelling: 'household', yearlyKwh: '3150' }
  const { status, body } = await call(server, joining.estimate, { params: { slug }, query })
  expect([status, body.enough, body.savingCents]).toEqual([200, false, null])
})

test('leaving: shows the notice, is signed and reviewed, and the participation ends on that day', async () => {
  const house = await openHouse()
  const { client, stay } = await leaver(house)
  const before = (await call(server, joiningDesk.departures, {}, client)).body
  const firstOn = addDays(getToday(), 45)
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

test('a departure can be withdrawn until it is decided, and requested again', async () => {
  const house = await openHouse()
  const { client, stay } = await leaver(house)
  const on = addDays(getToday(), 60)
  const { id, version } = (await depart(client, stay.id, on)).body
  const back = () => call(server, joiningDesk.stay, { params: { id }, body: { version } }, client)
  const others = { params: { id }, body: { version } }
  expect((await call(server, joiningDesk.stay, others, house.admin)).status).toBe(404)
  expect((await back()).body.state).toBe('withdrawn')
  expect((await back()).status).toBe(409)
  expect((await accept(house.admin, id, { on, version: version + 1 })).status).toBe(409)
  expect((await depart(client, stay.id, on)).status).toBe(200)
})

test('of two concurrent edits one is refused; a changed text is a new version', async () => {
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
