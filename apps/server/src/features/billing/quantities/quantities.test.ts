import { listDays } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { storeMonthQuantities } from '../../../../test/factories-distributor.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participants, participations, points, sellers } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { loadQuantities } from './quantities.ts'

const server = useServer()
const FROM = '2025-10-01'
const TO = '2025-11-01'
const odd = (a: number, b: number) => (at: number, day: string) => (at * a + Number(day.slice(8)) * b) % 1009

/**
 * October has a day of 100 quarter-hours. The second dwelling changes holder on the 14th, the first roof on the 20th.
 */
async function makeOctober() {
  const here = await makeOperationFixture(server, {
    from: FROM,
    to: TO,
    producers: [
      { watts: odd(37, 113), endsOn: '2025-10-20' },
      { watts: odd(53, 71), label: 'Préau' },
    ],
    consumers: [odd(41, 97), { watts: odd(29, 89), endsOn: '2025-10-14' }],
  })
  const { companyId, operation } = here
  const [next, heir] = await server.db
    .insert(participants)
    .values(['Suivante', 'Héritier'].map((name) => ({ companyId, kind: 'person', name })))
    .returning()
  const stay = (pointId: string, participantId: string, startsOn: string) =>
    server.db.insert(participations).values({ companyId, operationId: operation.id, pointId, participantId, startsOn })
  await stay(here.consumers[1]?.id ?? '', next?.id ?? '', '2025-10-14')
  await stay(here.producers[0]?.id ?? '', heir?.id ?? '', '2025-10-20')
  await server.db.insert(sellers).values({ companyId, participantId: heir?.id ?? '', name: 'Héritier', prefix: 'HE' })
  await requestKeyAdoption(server, here, { method: 'default' })
  return here
}
const loadOctober = ({ companyId, operation }: Awaited<ReturnType<typeof makeOctober>>) =>
  loadQuantities(server.db, companyId, operation.id, '2025-10')
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((all, value) => all + value, 0)

test('takes cells from the runs to the watt-minute, and gives each day to the holders of both meters', async () => {
  const here = await makeOctober()
  await runAllocation(server, here, { from: FROM, to: TO })
  const found = await loadOctober(here)
  const { rows } = await server.db.execute<{ energy: string; local: string }>(sql`
    select (select sum(energy) from allocation_pairs where company_id = ${here.companyId}) as energy,
           (select sum(local) from allocation_days d join points p on p.company_id = d.company_id and p.id = d.point_id
             where d.company_id = ${here.companyId} and p.direction = 'consumption') as local`)
  expect(sum(found.cells.map(({ wattMinutes }) => sum(wattMinutes)))).toBe(Number(rows[0]?.energy))
  expect(Number(rows[0]?.local)).toBe(Number(rows[0]?.energy))
  expect(found.members.map(({ prm, from, to }) => [prm, from, to])).toEqual([
    [here.consumers[0]?.prm, '2025-01-01', null],
    [here.consumers[1]?.prm, '2025-01-01', '2025-10-14'],
    [here.consumers[1]?.prm, '2025-10-14', null],
  ])
  const roof = here.producers[0]?.id ?? ''
  expect(found.producers.map(({ id, seller }) => [id, Boolean(seller)])).toEqual([
    [roof, false],
    [`${roof}@2025-10-20`, true],
    [here.producers[1]?.id, false],
  ])
  for (const cell of found.cells) {
    const member = found.members.find(({ id }) => id === cell.member)
    const producer = found.producers.find(({ id }) => id === cell.producer)
    for (const [at, day] of found.days.entries()) {
      const both = [member, producer].every((stay) => stay && stay.from <= day && (stay.to === null || day < stay.to))
      if (!both) expect([day, cell.wattMinutes[at]]).toEqual([day, 0])
    }
  }
  expect(found.cells.length).toBe((3 + 2 + 3) * 2)
})

test('reports what a month is computed from, and what is missing', async () => {
  const here = await makeOctober()
  const [first, second] = here.consumers.map(({ id }) => id)
  await runAllocation(server, here, { from: FROM, to: '2025-10-30' })
  const whole = { from: FROM, to: TO }
  await storeMonthQuantities(server.db, here, first ?? '', { ...whole, classes: { HPB: 41, HCB: 7 } })
  await storeMonthQuantities(server.db, here, second ?? '', {
    from: '2025-09-17',
    to: '2025-10-17',
    classes: { HPB: 3 },
  })
  const found = await loadOctober(here)
  expect(found.distributor).toEqual([
    { prm: here.consumers[0]?.prm, class: 'HCB', ...whole, wh: 7000 },
    { prm: here.consumers[0]?.prm, class: 'HPB', ...whole, wh: 41_000 },
  ])
  expect(found.beyond).toEqual([{ prm: here.consumers[1]?.prm, from: '2025-09-17', to: '2025-10-17' }])
  expect(found.daysWithoutRun).toEqual(['2025-10-30', '2025-10-31'])
  expect(found.provisional).toEqual(here.consumers.map(({ prm }) => prm))
  expect(found.runs).toMatchObject([{ kind: 'provisional', from: FROM, to: '2025-10-30', stale: '' }])
  expect(found.withoutDays).toEqual([])
  // Values are constant over a step, and the 26th has 100 quarter-hours.
  const drawn = found.drawn.find(({ member }) => member === found.members[0]?.id)
  const watts = Array.from({ length: 100 }, (_, at) => odd(41, 97)(at, '2025-10-26'))
  expect([drawn?.total[25], drawn?.total[30]]).toEqual([sum(watts) * 15, null])
})

test('reports a run made before daily figures were stored, and takes nothing from it', async () => {
  const here = await makeOctober()
  const run = await runAllocation(server, here, { from: FROM, to: TO })
  await server.asOwner('update allocation_pairs set days = null where run_id = $1', [run.id])
  const found = await loadOctober(here)
  expect([found.withoutDays, found.cells]).toEqual([[run.id], []])
})

const [early, late] = [
  { kind: 'definitive', from: '2025-10-24', to: '2025-10-27' },
  { kind: 'provisional', from: '2025-10-25', to: '2025-10-29' },
]
// Both runs have figures of the 25th and 26th, with readings corrected between them, so the order must not matter.
test.each([
  ['made first', [early, late]],
  ['made last', [late, early]],
])('bills a day only from the run in force on it, when that run was %s', async (_, runs) => {
  const [from, to] = ['2025-10-24', '2025-10-29']
  const here = await makeOperationFixture(server, {
    from,
    to,
    producers: [odd(37, 113)],
    consumers: [odd(41, 97), odd(29, 89)],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  for (const [nth, run] of runs.entries()) {
    const roof = listDays(from, to).map((day) => buildCurveDay(here.producers[0]?.id ?? '', day, odd(37 + nth, 113)))
    await storeReadingsAndNotify(server.db, here.companyId, roof, { source: 'api', receivedAt: new Date() })
    await runAllocation(server, here, run)
  }
  const found = await loadQuantities(server.db, here.companyId, here.operation.id, '2025-10')
  const { rows } = await server.db.execute<{ local: string }>(sql`
    select sum(d.local) as local from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
      join points p on p.company_id = d.company_id and p.id = d.point_id and p.direction = 'consumption'
     where c.company_id = ${here.companyId}`)
  expect(sum(found.cells.map(({ wattMinutes }) => sum(wattMinutes)))).toBe(Number(rows[0]?.local))
  expect(found.runs.map(({ kind }) => kind).sort()).toEqual(['definitive', 'provisional'])
})

test('charges accise to a producer of a megawatt in total, over any number of meters', async () => {
  const here = await makeOctober()
  const { companyId, producers } = here
  const [first, second] = producers.map(({ id }) => id)
  await server.db.update(points).set({ peakWatts: 611_000 }).where(eq(points.companyId, companyId))
  const liable = async () => (await loadOctober(here)).producers.map(({ pointId, accise }) => [pointId, accise])
  expect((await liable()).map(([, accise]) => accise)).toEqual([false, false, false])
  const [holder] = await server.db
    .select()
    .from(participations)
    .where(eq(participations.pointId, second ?? ''))
  await server.db
    .update(participations)
    .set({ participantId: holder?.participantId ?? '' })
    .where(and(eq(participations.pointId, first ?? ''), eq(participations.startsOn, '2025-10-20')))
  expect(await liable()).toEqual([
    [first, false],
    [first, true],
    [second, true],
  ])
})
