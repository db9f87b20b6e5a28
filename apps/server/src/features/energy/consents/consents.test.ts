import { consents as endpoints } from '@voisol/contract/consents'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeParticipant } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { consents } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { getCurrentConsentText } from './consent-texts.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const day = (days: number) => Temporal.PlainDate.from(getToday()).add({ days }).toString()
const textVersion = getCurrentConsentText('collection')?.version
const draft = { purpose: 'collection', textVersion, method: 'paper', givenOn: day(-10), expiresOn: day(300) }
const give = (user: User, id: string, more: object = {}) =>
  call(server, endpoints.give, { params: { id }, body: { ...draft, ...more } }, user)
const withdraw = (user: User, id: string) => call(server, endpoints.withdraw, { params: { id } }, user)
const list = (user: User, query = {}) => call(server, endpoints.list, { query }, user)

async function makeScene() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const own = await makeParticipant(server.db, { companyId, userId: client.id })
  const neighbour = await makeParticipant(server.db, { companyId })
  return { admin, client, own, neighbour }
}

test('refuses a consent of more than three years or that has ended', async () => {
  const { admin, neighbour } = await makeScene()
  const fault = async (more: object) => (await give(admin, neighbour.id, more)).body.issues?.[0].path
  expect(await fault({ expiresOn: day(0) })).toBe('expiresOn')
  expect(await fault({ givenOn: day(1) })).toBe('givenOn')
  const most = Temporal.PlainDate.from(draft.givenOn).add({ years: 3 })
  expect(await fault({ expiresOn: most.add({ days: 1 }).toString() })).toBe('expiresOn')
  expect(await fault({ textVersion: '1999-01' })).toBe('textVersion')
  expect(await fault({ method: 'portal' })).toBe('method')
  expect((await give(admin, neighbour.id, { expiresOn: most.toString() })).body).toMatchObject({
    state: 'valid',
    recordedBy: admin.email,
  })
})

test('uses the last decision: a renewal, a withdrawal, but not an older paper', async () => {
  const { admin, neighbour } = await makeScene()
  const first = (await give(admin, neighbour.id, { expiresOn: day(30) })).body
  expect(first.state).toBe('expiring')
  const second = (await give(admin, neighbour.id, { givenOn: day(-5) })).body
  const advice = await give(admin, neighbour.id, { purpose: 'advice' })
  expect(advice.body.state).toBe('valid')
  const states = async () =>
    (await list(admin, { participantId: neighbour.id })).body.items.map((one: { state: string }) => one.state)
  expect(await states()).toEqual(['valid', 'valid', 'expired'])
  expect((await withdraw(admin, first.id)).status).toBe(409)
  expect((await withdraw(admin, second.id)).body.state).toBe('withdrawn')
  expect((await withdraw(admin, second.id)).status).toBe(200)
  expect(await states()).toEqual(['valid', 'withdrawn', 'expired'])
  expect((await give(admin, neighbour.id)).body.issues[0].message).toContain('Un choix plus récent')
  expect((await give(admin, neighbour.id, { givenOn: getToday() })).body.state).toBe('valid')
})

test('lets clients give and withdraw their own consent now, with the address stored', async () => {
  const { client, own, neighbour } = await makeScene()
  expect((await give(client, neighbour.id, { method: 'portal' })).status).toBe(404)
  const { body } = await give(client, own.id, { method: 'portal', givenOn: day(-100) })
  expect(body).toMatchObject({ method: 'portal', state: 'valid', recordedBy: client.email })
  expect(Date.now() - Date.parse(body.givenAt)).toBeLessThan(60_000)
  const [row] = await server.db.select().from(consents).where(eq(consents.id, body.id))
  expect(row?.ip).toBe('127.0.0.1')
  expect((await withdraw(client, body.id)).body.state).toBe('withdrawn')
})

test('lists one’s own consents, or those of the participant an administrator names', async () => {
  const { admin, client, own, neighbour } = await makeScene()
  const theirs = (await give(admin, neighbour.id)).body
  const mine = (await list(client)).body
  expect(mine).toMatchObject({ items: [], participants: [{ id: own.id, name: own.name }] })
  expect(mine.texts.map(({ purpose }: { purpose: string }) => purpose)).toEqual([
    'collection',
    'analysis',
    'comparison',
    'advice',
  ])
  expect((await list(client, { participantId: neighbour.id })).status).toBe(404)
  expect((await withdraw(client, theirs.id)).status).toBe(404)
  expect((await list(admin)).status).toBe(422)
  const stranger = await makeUser(server.db)
  expect((await list(stranger, { participantId: own.id })).status).toBe(404)
  expect((await give(stranger, own.id)).status).toBe(404)
  expect((await withdraw(stranger, theirs.id)).status).toBe(404)
})
