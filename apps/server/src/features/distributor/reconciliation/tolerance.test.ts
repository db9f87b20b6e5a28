import { expect, test } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { readTolerance, toleranceOf } from './tolerance.ts'

test('a month has the whole, a day its part of it, rounded down', () => {
  const march = toleranceOf(97_003, '2025-03-01', 30)
  expect(march.month).toBe(5_820_180)
  // 5 820 180 ÷ 31 is 187 747.7…
  expect(march.day('2025-03-07')).toBe(187_747)
  // 743 hours, of two steps each: 5 820 180 ÷ 1 486 is 3 916.6…
  expect(march.step).toBe(3_916)
  expect(toleranceOf(97_003, '2025-02-01', 30).day('2025-02-07')).toBe(207_863)
})

test('a step has a watt-hour at least, and a day one for each of its steps', () => {
  const march = toleranceOf(11, '2025-03-01', 15)
  expect(march.step).toBe(60)
  expect([march.day('2025-03-29'), march.day('2025-03-30')]).toEqual([96 * 60, 92 * 60])
  expect(toleranceOf(11, '2025-10-01', 15).day('2025-10-26')).toBe(100 * 60)
})

const server = useServer()

test('a kilowatt-hour by point and month, unless the company says otherwise', async () => {
  const [usual, own] = [await makeCompany(server.db), await makeCompany(server.db)]
  await server.db.insert(syncSettings).values({ companyId: own.id, toleranceWh: 1_237 })
  expect([await readTolerance(server.db, usual.id), await readTolerance(server.db, own.id)]).toEqual([1000, 1_237])
})
