import { joining } from '@voisol/contract/joining'
import { joiningDesk } from '@voisol/contract/joining-management'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { createJoiningHelpers, JOINING_PRM } from '../../../../test/factories-portal.ts'
import { useServer } from '../../../../test/server.ts'
import {
  applications,
  consents,
  events,
  files,
  memberships,
  participants,
  participations,
  points,
  users,
} from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { joiningJobs } from './jobs.ts'

const server = useServer()
const { settingsOf, openHouse, draft, apply, rowOf, keyFor, verify, sign, signed, detail, accept } =
  createJoiningHelpers(server)

test('an accepted application creates a dated participation with proof, consents and portal access', async () => {
  const house = await openHouse()
  const { id, key, email, shown } = await signed(house)
  expect(shown).toMatchObject({ state: 'waiting', hasPaper: true, organiser: expect.any(String) })
  const paper = await server.app.inject({ url: `/api/join/${house.slug}/paper?key=${key}` })
  const words = await extractPdfText(paper.rawPayload)
  expect(words).toMatch(/Inès Garnier/)
  expect(words.replace(/\s/g, '')).toContain(shown.hash)
  const waiting = await detail(house.admin, id)
  expect(waiting).toMatchObject({ state: 'waiting', prm: JOINING_PRM, firstOn: addDays(getToday(), 15), remarks: [] })
  const early = await accept(house.admin, id, { on: addDays(getToday(), 14), version: waiting.version })
  expect([early.status, early.body.issues?.[0]?.path]).toEqual([422, 'on'])
  const on = addDays(getToday(), 21)
  // Three concurrent calls: one of them accepts the application.
  const answers = await Promise.all([1, 2, 3].map(() => accept(house.admin, id, { on, version: waiting.version })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const [person, second] = await server.db.select().from(participants).where(eq(participants.email, email))
  expect(second).toBeUndefined()
  const seats = await server.db
    .select()
    .from(participations)
    .where(eq(participations.participantId, person?.id ?? ''))
  expect(seats.map(({ startsOn, endsOn, agreementSignedOn }) => [startsOn, endsOn, agreementSignedOn])).toEqual([
    [on, null, getToday()],
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

test('refuses to sign without a proved address, the current text, consent to readings, or an open page', async () => {
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

test('identical applications are one; bots are ignored, and a far commune is refused', async () => {
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

test('a point already in use is reported, and accepting changes nothing', async () => {
  const house = await openHouse()
  const { companyId } = house.admin
  const pointId = (await makePoint(server.db, { companyId, prm: JOINING_PRM })).id
  await makeParticipation(server.db, { companyId, operationId: house.operationId, pointId })
  const { id } = await signed(house)
  const waiting = await detail(house.admin, id)
  expect(waiting.remarks[0]).toMatchObject({ severity: 'refused', message: expect.stringMatching(/déjà part/) })
  expect((await accept(house.admin, id, { on: waiting.firstOn, version: waiting.version })).status).toBe(409)
  expect((await detail(house.admin, id)).state).toBe('waiting')
  expect(await server.db.select().from(points).where(eq(points.companyId, companyId))).toHaveLength(1)
})

test('a refusal needs a reason and is final; other companies and limited users see nothing', async () => {
  const house = await openHouse()
  const { id, key } = await signed(house)
  const { version } = await detail(house.admin, id)
  const other = await openHouse()
  const { companyId } = house.admin
  const limited = await makeUser(server.db, { companyId, operationIds: [other.operationId] })
  for (const who of [other.admin, limited]) {
    expect((await call(server, joiningDesk.get, { params: { id } }, who)).status).toBe(404)
    expect((await call(server, joiningDesk.list, { query: {} }, who)).body.total).toBe(0)
    expect((await accept(who, id, { on: addDays(getToday(), 30), version })).status).toBe(404)
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

test('an administrator limited to an operation accepts its applications', async () => {
  const house = await openHouse()
  const near = await makeUser(server.db, { companyId: house.admin.companyId, operationIds: [house.operationId] })
  const { id } = await signed(house)
  const { version, firstOn } = await detail(near, id)
  expect((await accept(near, id, { on: firstOn, version })).body.state).toBe('accepted')
})

test('deletes unsigned applications after thirty days, and refused ones with their document after a year', async () => {
  const house = await openHouse()
  const [old, fresh] = [draft(), draft()]
  for (const body of [old, fresh]) await apply(house.slug, body)
  const { id } = await rowOf(house, old.email)
  const past = new Date(Date.now() - 31 * 86_400_000)
  await server.db.update(applications).set({ createdAt: past }).where(eq(applications.id, id))
  const refused = await signed(house)
  const mine = eq(files.companyId, house.admin.companyId)
  expect(await server.db.select().from(files).where(mine)).toHaveLength(1)
  const before = new Date(Date.now() - 366 * 86_400_000)
  const over = { state: 'refused', decidedAt: before }
  await server.db.update(applications).set(over).where(eq(applications.id, refused.id))
  await joiningJobs['joining.tidy'].run(server.deps, {}, { id: '' } as never) // the row is not read
  const left = await server.db.select().from(applications).where(eq(applications.companyId, house.admin.companyId))
  expect(left.map(({ email }) => email)).toEqual([fresh.email])
  expect(await server.db.select().from(files).where(mine)).toEqual([])
})
