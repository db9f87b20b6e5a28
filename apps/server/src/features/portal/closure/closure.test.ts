import { auth } from '@voisol/contract/auth'
import { closure } from '@voisol/contract/closure'
import { consents as agreements } from '@voisol/contract/consents'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { makeConsents, makeOperationFixture } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import {
  consents,
  curveDays,
  events,
  memberships,
  notifications,
  participants,
  participations,
  sessions,
  users,
} from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
const look = (token: string) => call(server, closure.look, {}, { token })
const close = (token: string, password = PASSWORD) => call(server, closure.close, { body: { password } }, { token })

async function makeClosureCase() {
  const here = await makeOperationFixture(server, {
    from: '2025-04-01',
    to: '2025-04-03',
    producers: [900],
    consumers: [400, 500],
  })
  const client = await makeUser(server.db, { companyId: here.companyId, isAdmin: false })
  const seat = eq(participations.pointId, here.consumers[0]?.id ?? '')
  const [row] = await server.db.select().from(participations).where(seat)
  const participantId = row?.participantId ?? ''
  await server.db.update(participants).set({ userId: client.id }).where(eq(participants.id, participantId))
  await makeConsents(server.db, here.companyId, [participantId], 'collection')
  await makeConsents(server.db, here.companyId, [participantId], 'advice')
  return { here, client, participantId, seat }
}

test('the preview lists the obstacles and consequences and changes nothing', async () => {
  const { here, client, seat } = await makeClosureCase()
  const facts = { running: [here.operation.name], open: 0, agreements: 1, elsewhere: false }
  expect((await look(client.token)).body).toEqual(facts)
  await server.db
    .update(participations)
    .set({ endsOn: addDays(getToday(), -1) })
    .where(seat)
  expect((await look(client.token)).body.running).toEqual([])
  await server.db
    .update(participations)
    .set({ endsOn: addDays(getToday(), 1) })
    .where(seat)
  expect((await look(client.token)).body.running).toHaveLength(1)
})

test('requires the password', async () => {
  const { client } = await makeClosureCase()
  const { status, body } = await close(client.token, 'pas celui-là')
  expect([status, body.issues?.[0]?.path]).toEqual([422, 'password'])
  expect((await look(client.token)).status).toBe(200)
})

test('anonymises the account, and keeps what others rely on', async () => {
  const { here, client, participantId } = await makeClosureCase()
  expect((await close(client.token)).status).toBe(200)
  expect((await look(client.token)).status).toBe(401)
  expect((await call(server, auth.login, { body: { email: client.email, password: PASSWORD } })).status).toBe(401)
  const [account] = await server.db.select().from(users).where(eq(users.id, client.id))
  expect(account).toMatchObject({ firstName: 'Compte', lastName: 'fermé', phone: '', passwordHash: null })
  expect(account?.email).not.toBe(client.email)
  expect(await server.db.select().from(sessions).where(eq(sessions.userId, client.id))).toEqual([])
  const [person] = await server.db.select().from(participants).where(eq(participants.id, participantId))
  expect(person).toMatchObject({ userId: null, name: expect.stringMatching(/^Voisin/) })
  const kept = await server.db.select().from(consents).where(eq(consents.participantId, participantId))
  const ended = kept.map(({ purpose, withdrawnAt }) => [purpose, withdrawnAt !== null])
  expect(Object.fromEntries(ended)).toEqual({ collection: false, advice: true })
  const days = await server.db
    .select()
    .from(curveDays)
    .where(eq(curveDays.pointId, here.consumers[0]?.id ?? ''))
  expect(days).toHaveLength(2)
})

test('notifies organisers and webhooks', async () => {
  const { here, client } = await makeClosureCase()
  await close(client.token)
  const told = await server.db
    .select()
    .from(notifications)
    .where(and(eq(notifications.companyId, here.companyId), eq(notifications.userId, here.admin.id)))
  expect(told.map(({ title }) => title).join()).toMatch(/a fermé son compte/)
  const happened = await server.db.select().from(events).where(eq(events.companyId, here.companyId))
  expect(happened.map(({ name }) => name).slice(-2)).toEqual(['consent.withdrawn', 'member.changed'])
})

test('an account with another organisation stays for it', async () => {
  const { client, here } = await makeClosureCase()
  const other = await makeUser(server.db)
  const accepted = { role: 'client', acceptedAt: new Date() }
  await server.db.insert(memberships).values({ companyId: other.companyId, userId: client.id, ...accepted })
  expect((await look(client.token)).body.elsewhere).toBe(true)
  expect((await close(client.token)).status).toBe(200)
  const [account] = await server.db.select().from(users).where(eq(users.id, client.id))
  expect(account?.email).toBe(client.email)
  const places = await server.db.select().from(memberships).where(eq(memberships.userId, client.id))
  const open = places.filter(({ disabledAt }) => disabledAt === null).map(({ companyId }) => companyId)
  expect(open).toEqual([other.companyId])
  expect(open).not.toContain(here.companyId)
})

test('a back office member must be removed by their colleagues', async () => {
  const { here, participantId } = await makeClosureCase()
  const admin = here.admin
  // A member who also takes part has both spaces.
  await server.db.update(participants).set({ userId: admin.id }).where(eq(participants.id, participantId))
  await server.db.update(sessions).set({ space: 'portal' }).where(eq(sessions.userId, admin.id))
  expect((await close(admin.token)).body.code).toBe('conflict')
  expect((await call(server, agreements.list, { query: {} }, admin)).status).toBe(200)
})
