import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  buildCurveDay,
  makeMeter,
  makeOperationFixture,
  requestAllocationRun,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { allocationDays, allocationRuns } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'
import { loadEnergyValues } from './load-energies.ts'

const server = useServer()
const DAYS = { from: '2025-05-07', to: '2025-05-12' }

test('covers a point from its entry until the day before its exit', async () => {
  const here = await makeOperationFixture(server, {
    ...DAYS,
    producers: [1_187],
    consumers: [709, { watts: 613, endsOn: '2025-05-10' }, { watts: 311, startsOn: '2025-05-08' }],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  const run = await runAllocation(server, here, DAYS)
  const daysOf = async (nth: number) => {
    const of = and(eq(allocationDays.runId, run.id), eq(allocationDays.pointId, here.consumers[nth]?.id ?? ''))
    return (await server.db.select().from(allocationDays).where(of)).map(({ day }) => day.slice(-2)).sort()
  }
  expect(await Promise.all([0, 1, 2].map(daysOf))).toEqual([
    ['07', '08', '09', '10', '11'],
    ['07', '08', '09'],
    ['08', '09', '10', '11'],
  ])
})

test('starts a new run when the existing one is outdated', async () => {
  const here = await makeOperationFixture(server, { ...DAYS, producers: [1_187], consumers: [613] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const first = await runAllocation(server, here, { ...DAYS, kind: 'definitive' })
  const again = () => requestAllocationRun(server, here, { ...DAYS, kind: 'definitive' })
  expect((await again()).body.id).toBe(first.id)
  await server.db.update(allocationRuns).set({ staleAt: new Date() }).where(eq(allocationRuns.id, first.id))
  expect((await again()).body.id).not.toBe(first.id)
})

test('estimates a long gap from the four weeks before the period only', async () => {
  const here = await makeOperationFixture(server, { ...DAYS, producers: [], consumers: [] })
  const { companyId } = here
  const { id } = await makeMeter(server.db, { companyId, operationId: here.operation.id })
  // Wednesdays: the first is 35 days before, the second 28.
  const known = [
    buildCurveDay(id, '2025-04-02', 90_001),
    buildCurveDay(id, '2025-04-09', 313),
    buildCurveDay(id, '2025-04-16', 318),
  ]
  await storeReadingsAndNotify(server.db, companyId, known, { source: 'api', receivedAt: new Date() })
  const side = { consumers: [id], producers: [], estimateBy: 'own' as const }
  const wanted = { companyId, ...side, step: 15 as const, from: DAYS.from, to: addDays(DAYS.from, 1) }
  const read = async (estimated: boolean) => (await loadEnergyValues(server.db, { ...wanted, estimated })).get(id)
  // In watt-minutes the mean of 4 695 and 4 770 is 4 732.5.
  const found = await read(true)
  const [values, levels] = [found?.values, found?.levels]
  expect([values?.length, new Set(values), new Set(levels)]).toEqual([96, new Set([4_733]), new Set([1])])
  expect(new Set((await read(false))?.values)).toEqual(new Set([-1]))
})
