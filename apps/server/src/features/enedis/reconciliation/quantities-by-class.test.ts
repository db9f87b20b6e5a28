import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import {
  buildCurveDay,
  makeMeter,
  makeOperation,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/store-readings.ts'
import { loadBilledQuantities } from './quantities-by-class.ts'
import { storeDailyEnergies, storeDefinitiveQuantities } from './store-distributor-data.ts'

const server = useServer()
const JUNE = { from: '2026-06-01', to: '2026-07-01' }

async function makeHomes() {
  const scene = await makeOperationFixture(server, { ...JUNE, producers: [1000], consumers: [1000, 1000] })
  const shares = scene.consumers.map(({ id }) => ({ pointId: id, share: 500_000 }))
  await requestKeyAdoption(server, scene, { method: 'static', shares })
  await runAllocation(server, scene, JUNE)
  const [first = '', second = ''] = scene.consumers.map(({ id }) => id)
  const read = async (companyId = scene.companyId) =>
    (await loadBilledQuantities(server.db, companyId, scene.operation.id, JUNE.from)).map(
      ({ pointId, name, wh, source }) => [pointId === first ? 1 : 2, name, wh, source],
    )
  return { scene, first, second, read }
}

test('bills use the distributor’s quantities where they exist, and ours elsewhere', async () => {
  const { scene, first, read } = await makeHomes()
  const ours = (n: number) => [
    [n, 'HPB', 240_000, 'ours'],
    [n, 'HCB', 120_000, 'ours'],
  ]
  expect((await read()).sort()).toEqual([...ours(1), ...ours(2)].sort())
  await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 238, HCB: 119 } })
  const theirs = [
    [1, 'HPB', 238_000, 'distributor'],
    [1, 'HCB', 119_000, 'distributor'],
  ]
  expect((await read()).sort()).toEqual([...theirs, ...ours(2)].sort())
})

test('a rectification prevails, the API prevails over a file, and a partial month is ignored', async () => {
  const { scene, first, second, read } = await makeHomes()
  const { companyId } = scene
  await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 200 }, source: 'R15' })
  await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 201 }, source: 'R15' })
  await storeMonthQuantities(server.db, scene, second, { from: JUNE.from, to: '2026-06-20', classes: { HPB: 100 } })
  const of = async (n: number) => (await read()).filter(([who]) => who === n)
  expect(await of(1)).toEqual([[1, 'HPB', 201_000, 'distributor']])
  expect((await of(2)).map(([, , , source]) => source)).toEqual(['ours', 'ours'])
  await storeMonthQuantities(server.db, scene, first, { ...JUNE, classes: { HPB: 210 } })
  expect(await of(1)).toEqual([[1, 'HPB', 210_000, 'distributor']])
  await storeMonthQuantities(server.db, scene, second, { from: '2026-06-20', to: JUNE.to, classes: { HPB: 60 } })
  expect(await of(2)).toEqual([[2, 'HPB', 160_000, 'distributor']])
  const supplier = [{ type: 'autocons' as const, calendar: 'FOURN', name: 'BASE', wh: 1 }]
  const where = { companyId, operationId: scene.operation.id, pointId: first, source: 'api' as const }
  await storeDefinitiveQuantities(server.db, { ...where, ...JUNE, quantities: supplier, receivedAt: new Date() })
  expect(await of(1)).toEqual([[1, 'HPB', 210_000, 'distributor']])
})

test('a file quantity without operation goes to the operation of its point, within the company', async () => {
  const { scene, first, read } = await makeHomes()
  const quantities = [{ type: 'autocons' as const, calendar: 'DISTRIB', name: 'HPB', wh: 42_000 }]
  const where = { companyId: scene.companyId, operationId: null, pointId: first, source: 'R15' as const }
  await storeDefinitiveQuantities(server.db, { ...where, ...JUNE, quantities, receivedAt: new Date() })
  expect((await read()).filter(([who]) => who === 1)).toEqual([[1, 'HPB', 42_000, 'distributor']])
  expect(await read((await makeUser(server.db)).companyId)).toEqual([])
})

test('a curve 5% away from the distributor’s daily total needs attention', async () => {
  const { companyId, token } = await makeUser(server.db)
  const operation = await makeOperation(server.db, { companyId, status: 'active' })
  const point = await makeMeter(server.db, { companyId, operationId: operation.id })
  const [day, before] = [addDays(getToday(), -2), addDays(getToday(), -3)]
  const receivedAt = new Date()
  await storeReadingsAndNotify(
    server.db,
    companyId,
    [buildCurveDay(point.id, day, 500), buildCurveDay(point.id, before, 500)],
    {
      source: 'enedis',
      receivedAt,
    },
  )
  const items = async () => {
    const { body } = await call(server, energy.attention, {}, { token })
    return body.items.filter(({ kind }: { kind: string }) => kind === 'index-gap')
  }
  await storeDailyEnergies(server.db, { companyId, pointId: point.id, days: [{ day: before, wh: 12_500 }], receivedAt })
  expect(await items()).toEqual([])
  await storeDailyEnergies(server.db, { companyId, pointId: point.id, days: [{ day, wh: 13_000 }], receivedAt })
  expect(await items()).toMatchObject([{ severity: 'warning', title: expect.stringContaining('1 courbe s’écarte') }])
})
