import { curves } from '@voisol/contract/curves'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { mergeReadings, overwritesMeasured } from './merge-curve-days.ts'
import { storeReadingsAndNotify } from './store-readings.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})

const watts = Int32Array.from({ length: 48 }, (_, n) => 137 + n)
const marks = Uint8Array.from(watts, (_, n) => (n === 7 ? 4 : 1))
const doubtfulReadings = { step: 30 as const, watts, marks, quality: 1 as const }

test('stores doubtful values as such, and shows them in the quality', async () => {
  const { id: operationId } = await makeOperation(server.db, { companyId: admin.companyId, status: 'active' })
  const point = await makeMeter(server.db, { companyId: admin.companyId, operationId, startsOn: '2026-01-01' })
  const row = { pointId: point.id, day: '2026-02-02', ...doubtfulReadings }
  await storeReadingsAndNotify(server.db, admin.companyId, [row], { source: 'enedis', receivedAt: new Date() })
  const query = { from: '2026-02-02', to: '2026-02-03' }
  const { body } = await call(server, curves.series, { params: { id: point.id }, query }, admin)
  expect(body.marks.slice(6, 9)).toEqual([1, 4, 1])
  const matrix = await call(server, curves.matrix, { query: { operationId, ...query } }, admin)
  expect(matrix.body.rows).toMatchObject([{ cells: 'd', received: 1 }])
  const again = await storeReadingsAndNotify(server.db, admin.companyId, [row], {
    source: 'enedis',
    receivedAt: new Date(),
  })
  expect(again).toMatchObject({ inserted: 0, changed: 0, same: 1 })
})

test('replaces a doubtful value by the next one, and no measured value by a doubtful one', () => {
  const next = { ...doubtfulReadings, watts: watts.map((value, n) => (n === 7 ? 91 : value)), marks: null }
  const merged = mergeReadings(doubtfulReadings, next)
  expect([merged?.watts[7], merged?.marks, merged?.quality]).toEqual([91, null, 1])
  expect(overwritesMeasured(doubtfulReadings, next)).toBe(false)
  expect(overwritesMeasured(doubtfulReadings, { ...next, watts: watts.map((value) => value + 1) })).toBe(true)
})
