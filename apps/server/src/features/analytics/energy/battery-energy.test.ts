import { energy } from '@voisol/contract/energy'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeBatteryFixture,
  makeOperationFixture,
  QUARTERS_BY_DAY,
  requestKeyAdoption,
  runAllocation,
  STORAGE_PERIOD,
  sumCurveEnergy,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { toWh } from './energy-totals.ts'

const server = useServer()
let scene: Awaited<ReturnType<typeof makeBatteryFixture>>
/** Nothing is allocated yet for the last day. */
const RUN = { from: STORAGE_PERIOD.from, to: '2025-03-31' }
beforeAll(async () => {
  scene = await makeBatteryFixture(server)
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, RUN)
})

const ask = async (endpoint: Parameters<typeof call>[1], query: object, token = scene.token) => {
  const answer = await call(server, endpoint, { query }, { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const here = () => ({ ...STORAGE_PERIOD, operationId: scene.operation.id })
const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

test('excludes the battery from production and consumption, with every sum balanced', async () => {
  const { current, steps } = await ask(energy.summary, here())
  const { storage } = current
  expect(current.produced).toBe(toWh(sumCurveEnergy('roof', QUARTERS_BY_DAY)))
  expect(current.consumed).toBe(toWh(sumCurveEnergy('houses', QUARTERS_BY_DAY)))
  expect(storage).toMatchObject({
    charged: toWh(sumCurveEnergy('charge', QUARTERS_BY_DAY)),
    released: toWh(sumCurveEnergy('release', QUARTERS_BY_DAY)),
    pendingCharged: toWh(sumCurveEnergy('charge', [96])),
    pendingReleased: toWh(sumCurveEnergy('release', [96])),
    whole: true,
  })
  expect(current.shared + current.surplus + current.pendingProduced).toBeCloseTo(current.produced, 2)
  expect(current.allocated + current.complement + current.pendingConsumed).toBeCloseTo(current.consumed, 2)
  expect(current.shared + storage.restored).toBeCloseTo(current.allocated + storage.stored, 2)
  expect(current.selfConsumption).toBeCloseTo(current.shared / (current.shared + current.surplus), 6)
  expect(current.selfProduction).toBeCloseTo(current.allocated / (current.allocated + current.complement), 6)
  expect(storage.stored).toBeGreaterThan(0)
  expect(storage.restored).toBeGreaterThan(0)
  expect(steps.received).toBe(steps.expected)
  const rows = await ask(energy.operations, STORAGE_PERIOD)
  expect(rows.total).toEqual(current)
  expect(rows.items[0]).toMatchObject({ storage, completeness: 1 })
})

test.each(['15min', 'day'])('gives the same sums in curves by %s, with the battery apart', async (granularity) => {
  const { current } = await ask(energy.summary, here())
  const series = await ask(energy.series, { ...here(), granularity })
  for (const name of ['produced', 'shared', 'surplus', 'consumed', 'allocated', 'complement'])
    expect(sum(series[name]), name).toBeCloseTo(current[name], 1)
  for (const name of ['charged', 'stored', 'released', 'restored'])
    expect(sum(series.storage[name]), name).toBeCloseTo(current.storage[name], 1)
  for (const [at, given] of series.shared.entries())
    expect((given ?? 0) + (series.storage.restored[at] ?? 0)).toBeCloseTo(
      (series.allocated[at] ?? 0) + (series.storage.stored[at] ?? 0),
      2,
    )
  const file = await call(server, energy.export, { query: { ...here(), granularity } }, { token: scene.token })
  expect(file.text.split('\n')[0]).toContain('Complément (kWh);Charge des batteries (kWh);Stocké (kWh);Restitué (kWh)')
})

test.each([STORAGE_PERIOD, { from: '2025-03-30', to: '2025-03-31' }])(
  'shows the battery on both sides of the flow of %j, and never to itself',
  async (days) => {
    const flow = await ask(energy.flow, { ...days, operationId: scene.operation.id })
    const [release, charge] = [scene.producers[1]?.id, scene.consumers[2]?.id]
    const marked = (nodes: { id: string; storage?: boolean }[]) =>
      nodes.filter(({ storage }) => storage).map(({ id }) => id)
    expect([marked(flow.producers), marked(flow.consumers)]).toEqual([[release], [charge]])
    const { current } = await ask(energy.summary, { ...days, operationId: scene.operation.id })
    const to = (id: string | undefined) =>
      sum(flow.links.filter((link: { to: string }) => link.to === id).map(({ wh }: { wh: number }) => wh))
    expect(to(charge)).toBeCloseTo(current.storage.stored, 1)
    expect(flow.links.some((link: { from: string; to: string }) => link.from === release && link.to === charge)).toBe(
      false,
    )
    expect(flow.surplusWh).toBeCloseTo(current.surplus, 2)
  },
)

test('names the battery’s two points, each with its own energy', async () => {
  const { items } = await ask(energy.members, here())
  const own = items.filter(({ storage }: { storage?: boolean }) => storage)
  expect(own.map(({ direction }: { direction: string }) => direction).sort()).toEqual(['consumption', 'production'])
  const { items: plants } = await ask(energy.producers, here())
  expect(plants.map(({ storage, expected }: { storage?: boolean; expected: null }) => [storage, expected])).toEqual(
    expect.arrayContaining([[true, null]]),
  )
  const pointId = scene.consumers[2]?.id
  const { current } = await ask(energy.summary, { ...STORAGE_PERIOD, pointId })
  expect(current).toMatchObject({ produced: 0, consumed: toWh(sumCurveEnergy('charge', QUARTERS_BY_DAY)) })
  expect(current.storage).toBeUndefined()
  const file = await call(server, energy.membersExport, { query: { ...here(), format: 'csv' } }, { token: scene.token })
  expect(file.text).toContain(';Charge (batterie);')
  expect(file.text).toContain(';Décharge (batterie);')
})

test('omits storage fields without a battery, and hides this one from another company', async () => {
  const plain = await makeOperationFixture(server, {
    from: '2025-06-02',
    to: '2025-06-03',
    producers: [613],
    consumers: [307, 211],
  })
  await requestKeyAdoption(server, plain, { method: 'default' })
  await runAllocation(server, plain, { from: '2025-06-02', to: '2025-06-03' })
  const query = { from: '2025-06-02', to: '2025-06-03', operationId: plain.operation.id }
  for (const endpoint of [energy.summary, energy.series, energy.flow, energy.members, energy.producers])
    expect(JSON.stringify(await ask(endpoint, query, plain.token))).not.toContain('storage')
  const stranger = await makeUser(server.db)
  const { status } = await call(server, energy.summary, { query: here() }, { token: stranger.token })
  expect(status).toBe(404)
})
