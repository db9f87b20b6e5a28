import { analytics } from '@voisol/contract/analytics'
import { energy } from '@voisol/contract/energy'
import { type PlantAmount, plants } from '@voisol/contract/plants'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperationFixture } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participants, participations, plantAmounts } from '../../../db/schema/index.ts'
import { countDueTimes } from './plant-amounts.ts'
import { computePlantEconomy } from './plant-economies.ts'

const server = useServer()
const YEAR = { from: '2025-01-01', to: '2026-01-01' }

const buildAmount = (kind: PlantAmount['kind'], amount: number, more: Partial<PlantAmount> = {}): PlantAmount => ({
  id: crypto.randomUUID(),
  pointId: crypto.randomUUID(),
  kind,
  label: '',
  amount,
  every: 'year',
  startsOn: '2024-03-31',
  endsOn: null,
  version: 1,
  ...more,
})

test('counts an amount on its day, then each month or year until it ends', () => {
  expect(countDueTimes(buildAmount('loan', 1, { every: 'month' }), YEAR)).toBe(12)
  expect(countDueTimes(buildAmount('loan', 1, { every: 'month', endsOn: '2025-02-28' }), YEAR)).toBe(1)
  expect(countDueTimes(buildAmount('loan', 1), YEAR)).toBe(1)
  expect(countDueTimes(buildAmount('loan', 1, { startsOn: '2026-01-01' }), YEAR)).toBe(0)
  expect(countDueTimes(buildAmount('loan', 1, { every: 'once' }), YEAR)).toBe(0)
  expect(countDueTimes(buildAmount('loan', 1, { every: 'once', startsOn: '2025-06-01' }), YEAR)).toBe(1)
})

test('computes the return as yearly gain over investment without the loan, or nothing when incomplete', () => {
  const once = { every: 'once' as const, startsOn: '2024-01-01' }
  const amounts = [
    buildAmount('investment', 1_000_000, once),
    buildAmount('subsidy', 200_000, once),
    buildAmount('maintenance', 10_000),
    buildAmount('insurance', 6_000),
    buildAmount('loan', 5_000, { every: 'month' }),
    buildAmount('surplus', 16_000),
  ]
  const sold = { net: 80_000, documents: 12 }
  expect(computePlantEconomy(amounts, sold, YEAR)).toEqual({
    sales: 80_000,
    documents: 12,
    surplusIncome: 16_000,
    costs: 16_000,
    loan: 60_000,
    result: 20_000,
    investment: 800_000,
    realised: 0.1,
    unsaid: '',
  })
  expect(computePlantEconomy(amounts, sold, { from: '2024-01-01', to: '2026-01-01' }).realised).toBeCloseTo(0.05, 9)
  expect(computePlantEconomy(amounts, sold, { from: '2025-01-01', to: '2025-12-01' })).toMatchObject({
    realised: null,
    unsaid: expect.stringContaining('douze mois'),
  })
  expect(computePlantEconomy(amounts.slice(2), sold, YEAR)).toMatchObject({ investment: null, realised: null })
  expect(computePlantEconomy(amounts, undefined, YEAR)).toMatchObject({ sales: null, realised: null, result: -60_000 })
})

test('enters, changes and removes amounts of one’s own plants', async () => {
  const here = await makeOperationFixture(server, {
    from: '2025-03-01',
    to: '2025-03-03',
    producers: [700],
    consumers: [500],
  })
  const [plant, consumer] = [here.producers[0]?.id ?? '', here.consumers[0]?.id ?? '']
  const body = { kind: 'insurance', label: '', amount: 4_200, every: 'year', startsOn: '2025-01-01', endsOn: null }
  const add = (pointId: string, token: string, more = {}) =>
    call(server, plants.addAmount, { params: { pointId }, body: { ...body, ...more } }, { token })
  const stranger = await makeUser(server.db)
  expect((await add(plant, stranger.token)).status).toBe(404)
  expect((await add(consumer, here.token)).status).toBe(404)
  expect((await add(plant, here.token, { endsOn: '2025-01-01' })).status).toBe(422)
  const { body: amount } = await add(plant, here.token)
  const change = (version: number) =>
    call(server, plants.updateAmount, { params: { id: amount.id }, body: { ...body, amount: 5_000, version } }, here)
  expect([(await change(1)).body.version, (await change(1)).status]).toEqual([2, 409])
  const read = async () => (await call(server, plants.economies, { query: YEAR }, here)).body.items
  expect(await read()).toMatchObject([{ costs: 5_000, sales: null, result: -5_000, plants: [{ pointId: plant }] }])
  expect((await read())[0].produced).toBeGreaterThan(0)
  await call(server, plants.removeAmount, { params: { id: amount.id } }, here)
  expect((await read())[0]).toMatchObject({ costs: 0, amounts: [] })
})

test('shows an investor only the income and costs of plants', async () => {
  const here = await makeOperationFixture(server, {
    from: '2025-03-01',
    to: '2025-03-03',
    producers: [700],
    consumers: [500],
  })
  const investor = await makeUser(server.db, { companyId: here.companyId, permissions: ['plants.read'] })
  const { status, body } = await call(server, plants.economies, { query: YEAR }, investor)
  expect([status, body.items.length]).toEqual([200, 1])
  expect((await call(server, energy.summary, { query: YEAR }, investor)).status).toBe(403)
  expect((await call(server, analytics.compare, { query: YEAR }, investor)).status).toBe(403)
  const pointId = here.producers[0]?.id ?? ''
  const draft = { kind: 'loan', label: '', amount: 1, every: 'once', startsOn: '2025-01-01', endsOn: null }
  expect((await call(server, plants.addAmount, { params: { pointId }, body: draft }, investor)).status).toBe(403)
})

test('shows an owner their own plant in the portal, and no other amounts or sales', async () => {
  const here = await makeOperationFixture(server, {
    from: '2025-03-01',
    to: '2025-03-03',
    producers: [700, 300],
    consumers: [500],
  })
  const owner = await makeUser(server.db, { companyId: here.companyId, role: 'client' })
  const [mine = '', other = ''] = here.producers.map(({ id }) => id)
  await server.db.execute(sql`update ${participants} set user_id = ${owner.id} where id in (
    select participant_id from ${participations} where point_id = ${mine})`)
  for (const [pointId, amount] of [
    [mine, 700],
    [other, 900],
  ] as const)
    await server.db.insert(plantAmounts).values({
      companyId: here.companyId,
      pointId,
      kind: 'insurance',
      label: '',
      amount,
      every: 'year',
      startsOn: '2025-01-01',
      endsOn: null,
    })
  const { body } = await call(server, plants.economies, { query: YEAR }, owner)
  expect(body.items).toMatchObject([{ plants: [{ pointId: mine }], costs: 700, studied: null }])
  const consumer = await makeUser(server.db, { companyId: here.companyId, role: 'client' })
  expect((await call(server, plants.economies, { query: YEAR }, consumer)).body.items).toEqual([])
})
