import { energy } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { storeReadingsAndNotify } from '../../energy/curves/store-readings.ts'

const server = useServer()
const ask = async (e: Parameters<typeof call>[1], query: Record<string, string>, token: string) => {
  const answer = await call(server, e, { query }, { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

test('keeps a gap at every granularity, and shares the step among the other members', async () => {
  const two = { from: '2025-10-25', to: '2025-10-27' }
  const holed = await makeOperationFixture(server, { ...two, producers: [1000], consumers: [500, 250] })
  const [first] = holed.consumers
  const gap = buildCurveDay(first?.id ?? '', '2025-10-27', (at) => (at < 8 ? -1 : 500))
  const rest = [...holed.producers, ...holed.consumers.slice(1)].map(({ id }) => buildCurveDay(id, '2025-10-27', 1000))
  await storeReadingsAndNotify(server.db, holed.companyId, [gap, ...rest], { source: 'api', receivedAt: new Date() })
  await requestKeyAdoption(server, holed, { method: 'default' })
  await runAllocation(server, holed, { from: '2025-10-25', to: '2025-10-28' })
  const query = { from: '2025-10-26', to: '2025-10-28', granularity: '15min', operationId: holed.operation.id }
  const quarters = await ask(energy.series, query, holed.token)
  expect(quarters.starts).toHaveLength(100 + 96)
  expect(quarters.allocated.slice(100, 108)).toEqual(new Array(8).fill(250))
  expect(quarters.surplus.slice(100, 109)).toEqual(new Array(9).fill(0))
  expect(quarters.marks.slice(98, 109)).toEqual([1, 1, ...new Array(8).fill(0), 1])
  const own = await ask(energy.series, { ...query, pointId: first?.id ?? '' }, holed.token)
  expect(own.consumed.slice(100, 109)).toEqual([...new Array(8).fill(null), 125])
  expect(own.allocated.slice(100, 108)).toEqual(new Array(8).fill(null))
  const days = await ask(energy.series, { ...query, granularity: 'day' }, holed.token)
  expect(days.marks).toEqual([1, 0])
  expect(days.surplus[1]).toBeCloseTo(sum(quarters.surplus.slice(100)), 2)
  const summary = await ask(energy.summary, { from: '2025-10-27', to: '2025-10-28' }, holed.token)
  expect(summary.steps).toMatchObject({ expected: 288, received: 280, allocated: 280, excluded: 8 })
  const twice = await ask(energy.heatMap, { ...two, to: '2025-10-27', measure: 'produced' }, holed.token)
  expect(twice.hours[1][2]).toBe(1000)
})
