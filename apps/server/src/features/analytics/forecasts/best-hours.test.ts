import { forecasts } from '@voisol/contract/forecasts'
import { notifications as mine } from '@voisol/contract/notifications'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedForecast } from '../../../../test/factories-analytics.ts'
import { makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { notifyBestHours } from './best-hours.ts'

const server = useServer()
const TOMORROW = addDays(getToday(), 1)

/** Tomorrow from ten to two, in hours from the start of today. */
const noon = (hour: number) => {
  const at = hour - (dayStart(TOMORROW) - dayStart(getToday())) / 60
  return at >= 10 && at < 14
}

async function createTestScene(chance: (hour: number) => number, stay: { startsOn?: string; endsOn?: string } = {}) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operation = await makeOperation(server.db, { companyId })
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  await makeMeter(server.db, { companyId, operationId: operation.id, userId: client.id, ...stay })
  await makeIssuedForecast(server, {
    companyId,
    operationId: operation.id,
    issuedOn: getToday(),
    kind: 'surplus',
    middle: 500,
    chance,
  })
  const ask = async (token = client.token) =>
    (await call(server, forecasts.bestHours, { query: {} }, { token })).body.items
  return { admin, client, operation, ask }
}

test('shows the sufficiently certain hours in local time to current members', async () => {
  const { ask, admin } = await createTestScene((hour) => (noon(hour) ? 85 : 10))
  const [own] = await ask()
  expect(own).toMatchObject({ state: 'hours', day: TOMORROW, chance: 0.85, hits: null })
  expect([own.from, own.to].map((at) => (Date.parse(at) / 60_000 - dayStart(TOMORROW)) / 60)).toEqual([10, 14])
  expect(await ask(admin.token)).toEqual([own])
})

test('shows that there is no certain hour, or that nothing can be known', async () => {
  const { ask } = await createTestScene((hour) => (noon(hour) ? 79 : 10))
  expect(await ask()).toMatchObject([{ state: 'none', from: null }])
  const unsure = await createTestScene(() => 255)
  expect(await unsure.ask()).toMatchObject([{ state: 'unmeasured' }])
})

test('shows nothing to past or future members', async () => {
  const left = await createTestScene((hour) => (noon(hour) ? 85 : 10), { endsOn: getToday() })
  expect(await left.ask()).toEqual([])
  const coming = await createTestScene((hour) => (noon(hour) ? 85 : 10), { startsOn: TOMORROW })
  expect(await coming.ask()).toEqual([])
})

test('notifies those who chose it once, the evening before', async () => {
  const { client, ask } = await createTestScene((hour) => (noon(hour) ? 85 : 10))
  const told = () => server.db.select().from(notifications).where(eq(notifications.userId, client.id))
  await notifyBestHours(server.deps)
  expect(await told()).toEqual([])
  const items = [{ category: 'hours' as const, channel: 'app' as const, enabled: true }]
  const { body } = await call(server, mine.savePreferences, { body: { items } }, client)
  const own = body.items.filter(({ category }: { category: string }) => category === 'hours')
  expect(own.map(({ channel, enabled }: { channel: string; enabled: boolean }) => [channel, enabled])).toEqual([
    ['app', true],
    ['mail', false],
  ])
  await notifyBestHours(server.deps)
  await notifyBestHours(server.deps)
  const [one, ...more] = await told()
  expect(more).toEqual([])
  expect(one).toMatchObject({ category: 'hours', title: 'Demain, lancez vos appareils entre 10\u00a0h et 14\u00a0h' })
  expect(await ask()).toHaveLength(1)
})
