import { expect, test } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { computeTolerance, loadTolerance } from './reconciliation-context.ts'

test('a month tolerates half a watt per step, or less when configured', () => {
  // 743 hours: 371.5 Wh.
  expect(computeTolerance(97_003, '2025-03-01', 30).month).toBe(22_290)
  expect(computeTolerance(1000, '2025-02-01', 15).month).toBe(20_160)
  expect(computeTolerance(371, '2025-03-01', 15).month).toBe(22_260)
  expect(computeTolerance(0, '2025-03-01', 15).month).toBe(0)
})

test('a step tolerates one watt, and a day one watt per step', () => {
  const march = computeTolerance(11, '2025-03-01', 15)
  expect(march.step).toBe(15)
  expect([march.day('2025-03-29'), march.day('2025-03-30')]).toEqual([96 * 15, 92 * 15])
  expect(computeTolerance(11, '2025-10-01', 30).day('2025-10-26')).toBe(50 * 30)
})

const server = useServer()

test('tolerates one kilowatt-hour per point and month unless configured', async () => {
  const [usual, own] = [await makeCompany(server.db), await makeCompany(server.db)]
  await server.db.insert(syncSettings).values({ companyId: own.id, toleranceWh: 1_237 })
  expect([await loadTolerance(server.db, usual.id), await loadTolerance(server.db, own.id)]).toEqual([1000, 1_237])
})
