import { allocations } from '@voisol/contract/allocations'
import { keys } from '@voisol/contract/keys'
import { inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  makeBatteryFixture,
  makeOperationFixture,
  QUARTERS_BY_DAY,
  requestAllocationRun,
  requestKeyAdoption,
  runAllocation,
  STORAGE_PERIOD,
  sumCurveEnergy,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { points } from '../../../db/schema/index.ts'

const server = useServer()
type Scene = Awaited<ReturnType<typeof makeBatteryFixture>>
let scene: Scene
let run: Awaited<ReturnType<typeof runAllocation>>
beforeAll(async () => {
  scene = await makeBatteryFixture(server)
  await requestKeyAdoption(server, scene, { method: 'default' })
  run = await runAllocation(server, scene, STORAGE_PERIOD)
})

const ask = async (endpoint: Parameters<typeof call>[1], more: object = {}, place = scene, id = run.id) => {
  const { status, body, text } = await call(server, endpoint, { params: { id }, ...more }, { token: place.token })
  if (status !== 200) throw new Error(text)
  return body
}
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
type Sums = NonNullable<(typeof run)['totals']>
const closes = ({ produced, consumed, allocated, surplus, complement, storage }: Sums) => {
  expect(produced + (storage?.restored ?? 0)).toBe(allocated + (storage?.stored ?? 0) + surplus)
  expect(consumed).toBe(allocated + complement)
}

describe('run with a battery', () => {
  test('counts charge and release once, and balances to the unit', async () => {
    const totals = run.totals as Sums
    closes(totals)
    expect(totals).toMatchObject({
      produced: sumCurveEnergy('roof', QUARTERS_BY_DAY),
      consumed: sumCurveEnergy('houses', QUARTERS_BY_DAY),
      storage: {
        charged: sumCurveEnergy('charge', QUARTERS_BY_DAY),
        released: sumCurveEnergy('release', QUARTERS_BY_DAY),
      },
    })
    expect(totals.storage?.stored).toBeGreaterThan(0)
    expect(totals.storage?.stored).toBeLessThan(totals.storage?.charged ?? 0)
    const { items } = await ask(allocations.days)
    expect(items).toHaveLength(3)
    for (const day of items) closes(day)
    expect(total(items.map((day: Sums) => day.storage?.stored ?? 0))).toBe(totals.storage?.stored)
  })

  test('verifies each step, with no energy from a battery to a battery', async () => {
    expect(await ask(allocations.proof)).toMatchObject({ broken: 0, above: 0, sameHash: true })
    const { items } = await ask(allocations.pairs)
    const [release, charge] = [scene.producers[1]?.id, scene.consumers[2]?.id]
    expect(items.filter((pair: { producerId: string; pointId: string }) => pair.producerId === release)).toHaveLength(2)
    expect(
      items.some(
        (pair: { producerId: string; pointId: string }) => pair.producerId === release && pair.pointId === charge,
      ),
    ).toBe(false)
    const { allocated, storage } = run.totals as Sums
    expect(total(items.map(({ energy }: { energy: number }) => energy))).toBe(allocated + (storage?.stored ?? 0))
  })

  test('names the battery wherever its points are shown', async () => {
    const { items } = await ask(allocations.points)
    const sides = items.map((point: { label: string; storage?: boolean }) => [
      point.label.replace(/, Voisin \d+$/, ''),
      point.storage,
    ])
    expect(sides).toEqual([
      ['Batterie du quai', true],
      ['Toit', undefined],
      ['Atelier', undefined],
      ['Batterie du quai', true],
      ['Maison', undefined],
    ])
    const { members } = await ask(allocations.completeness)
    expect(members.filter(({ storage }: { storage?: boolean }) => storage)).toHaveLength(2)
    const days = await call(
      server,
      allocations.export,
      { params: { id: run.id }, query: { level: 'days', format: 'csv' } },
      { token: scene.token },
    )
    expect(days.text).toContain('Charge des batteries (kWh);Stocké (kWh);Restitué (kWh);Restitué et affecté (kWh)')
  })

  test('simulates a method with it, without counting it as a consumer', async () => {
    const query = { from: STORAGE_PERIOD.from, to: STORAGE_PERIOD.to }
    const { results } = await ask(keys.compare, { query }, scene, scene.operation.id)
    const own = results.find(({ method, keyId }: { method: string; keyId: null }) => method === 'default' && !keyId)
    const { produced, consumed, allocated, surplus, storage } = run.totals as Sums
    expect(own).toMatchObject({ produced, consumed, allocated, surplus })
    expect(own.selfConsumption).toBe((produced - surplus) / produced)
    expect(own.consumers.filter((one: { storage?: boolean }) => one.storage)).toMatchObject([
      { pointId: scene.consumers[2]?.id, consumed: storage?.charged, allocated: storage?.stored },
    ])
  })
})

describe('battery at its limits', () => {
  test('takes no part from its exit day, and days still balance', async () => {
    const left = await makeBatteryFixture(server, { endsOn: '2025-03-31' })
    await requestKeyAdoption(server, left, { method: 'equal' })
    const done = await runAllocation(server, left, STORAGE_PERIOD)
    const { items } = await ask(allocations.days, {}, left, done.id)
    for (const day of items) closes(day)
    expect(items.map((day: Sums) => day.storage?.released)).toEqual([
      sumCurveEnergy('release', [96]),
      sumCurveEnergy('release', [92]),
      undefined,
    ])
    expect(await ask(allocations.proof, {}, left, done.id)).toMatchObject({ broken: 0, sameHash: true })
  })

  test('stores nothing without production, and shares what it releases', async () => {
    const alone = await makeOperationFixture(server, {
      from: '2025-05-05',
      to: '2025-05-06',
      producers: [{ watts: 211, storage: true }],
      consumers: [{ watts: 97 }, { watts: 401, storage: true }],
    })
    await requestKeyAdoption(server, alone, { method: 'default' })
    const { totals } = await runAllocation(server, alone, { from: '2025-05-05', to: '2025-05-06' })
    const day = 24 * 60
    expect(totals).toEqual({
      produced: 0,
      consumed: 97 * day,
      allocated: 97 * day,
      surplus: 0,
      complement: 0,
      storage: { charged: 401 * day, stored: 0, released: 211 * day, restored: 97 * day },
    })
  })

  test('computes again when a point becomes a battery', async () => {
    const days = { from: '2025-05-05', to: '2025-05-06' }
    const plain = await makeOperationFixture(server, { ...days, producers: [613, 211], consumers: [97, 401] })
    await requestKeyAdoption(server, plain, { method: 'default' })
    const before = await runAllocation(server, plain, days)
    expect(before.totals).not.toHaveProperty('storage')
    const ids = [plain.producers[1]?.id ?? '', plain.consumers[1]?.id ?? '']
    await server.db.update(points).set({ storage: true }).where(inArray(points.id, ids))
    // Members were served without exception: the battery that draws 401 got more than the roof's 370.
    expect(await ask(allocations.proof, {}, plain, before.id)).toMatchObject({ steps: 96, broken: 96, above: 0 })
    const after = await runAllocation(server, plain, days)
    expect(after.inputHash).not.toBe(before.inputHash)
    expect(after.totals?.storage).toMatchObject({ released: 211 * 24 * 60 })
  })

  test('reports a missing release as an incomplete producer, by the battery’s name', async () => {
    const dumb = await makeOperationFixture(server, {
      from: '2025-05-05',
      to: '2025-05-07',
      producers: [{ watts: 613 }, { watts: 211, storage: true, label: 'Pile', silent: (day) => day === '2025-05-06' }],
      consumers: [{ watts: 97 }, { watts: 401, storage: true, label: 'Pile' }],
    })
    await requestKeyAdoption(server, dumb, { method: 'default' })
    const refused = await requestAllocationRun(server, dumb, {
      from: '2025-05-05',
      to: '2025-05-07',
      kind: 'definitive',
    })
    expect(refused.text).toContain('Décharge de la batterie Pile')
    const { counts } = await runAllocation(server, dumb, { from: '2025-05-05', to: '2025-05-07' })
    expect(counts).toMatchObject({ producerMissing: 96, consumerMissing: 0, excluded: 0 })
  })
})
