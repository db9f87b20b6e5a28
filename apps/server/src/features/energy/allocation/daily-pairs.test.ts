import { allocations } from '@voisol/contract/allocations'
import { addDays, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
/** A run split by the clock change of 92 quarter-hours, and by a month that begins inside it. */
const FROM = '2025-03-29'
const TO = '2025-04-03'
const getOddWatts = (a: number, b: number) => (at: number, day: string) => (at * a + Number(day.slice(8)) * b) % 997

type Pair = { producer: string; point: string; month: string; energy: string; days: Buffer }
type Day = { point: string; day: string; local: string }

async function loadStoredPairs(method: 'default' | 'complete') {
  const here = await makeOperationFixture(server, {
    from: FROM,
    to: TO,
    producers: [getOddWatts(37, 113), getOddWatts(53, 71)],
    consumers: [getOddWatts(41, 97), getOddWatts(29, 89), { watts: getOddWatts(61, 83), startsOn: '2025-03-31' }],
  })
  const shares = here.consumers.flatMap(({ id }, i) =>
    here.producers.map((p, j) => ({ pointId: id, producerId: p.id, share: 117_000 * (i + 1) + 31_000 * j })),
  )
  await requestKeyAdoption(server, here, { method, shares: method === 'complete' ? shares : [] })
  const run = await runAllocation(server, here, { from: FROM, to: TO })
  const { rows } = await server.db.execute<Pair>(sql`
    select producer_id as producer, point_id as point, month::text, energy, days from allocation_pairs where run_id = ${run.id}`)
  const { rows: days } = await server.db.execute<Day>(sql`
    select point_id as point, day::text, local from allocation_days where run_id = ${run.id}`)
  return { here, run, rows, days }
}
const decodeDays = (row: Pair) => new Float64Array(Uint8Array.from(row.days).buffer)

for (const method of ['default', 'complete'] as const)
  test(`${method}: stores pairs by day that sum to the month and to every point’s day`, async () => {
    const { here, run, rows, days } = await loadStoredPairs(method)
    expect(rows.length).toBeGreaterThan(6)
    const sums = new Map<string, number>()
    for (const row of rows) {
      const own = decodeDays(row)
      const month = listDays(row.month, addDays(row.month, own.length))
      expect([row.month, own.length]).toEqual([row.month, row.month === '2025-03-01' ? 31 : 30])
      expect(own.reduce((sum, day) => sum + day, 0)).toBe(Number(row.energy))
      for (const [at, day] of month.entries()) {
        if (day < FROM || day >= TO) expect(own[at]).toBe(0)
        for (const point of [row.point, row.producer])
          sums.set(`${point} ${day}`, (sums.get(`${point} ${day}`) ?? 0) + (own[at] ?? 0))
      }
    }
    expect(days.length).toBe(5 * 4 + 3)
    for (const { point, day, local } of days) expect([day, sums.get(`${point} ${day}`)]).toEqual([day, Number(local)])
    const proof = await call(server, allocations.proof, { params: { id: run.id } }, { token: here.token })
    expect(proof.body).toMatchObject({ broken: 0, resultHash: run.resultHash, sameHash: true })
  })
