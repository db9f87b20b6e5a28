import { addDays, dayStart, listDays, minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { buildCurveDay, makeMeter } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import type { PointDayReadings } from '../../../core/readings.ts'
import { transaction } from '../../../db/client.ts'
import { loadAlignedCurves, loadCurveHash, loadCurves } from './read-curves.ts'
import { storeReadingsAndNotify } from './store-readings.ts'

const server = useServer()
let companyId = 0
beforeAll(async () => {
  companyId = (await makeCompany(server.db)).id
})
const meter = async () => (await makeMeter(server.db, { companyId })).id
const at = (hour: number) => new Date(Date.UTC(2026, 5, 1, hour))
const store = async (rows: PointDayReadings[], receivedAt = at(8)) => {
  const {
    touched: _,
    readings: _days,
    ...counts
  } = await storeReadingsAndNotify(server.db, companyId, rows, { source: 'import', receivedAt })
  return counts
}
const DAY = '2026-03-10'
const hash = (id: string) => loadCurveHash(server.db, companyId, [id], '2026-01-01', '2027-01-01')
const watts = async (id: string, knownAt?: Date) => [
  ...((await loadCurves(server.db, companyId, [id], DAY, addDays(DAY, 1), { knownAt })).get(id)?.[0]?.watts ?? []),
]

describe('versions', () => {
  test('stores nothing for the same day again, and keeps the hash', async () => {
    const id = await meter()
    expect(await store([buildCurveDay(id, DAY, 100)])).toEqual({ inserted: 1, changed: 0, same: 0 })
    const first = await hash(id)
    expect(await store([buildCurveDay(id, DAY, 100)], at(9))).toEqual({ inserted: 0, changed: 0, same: 1 })
    expect(await hash(id)).toBe(first)
  })

  test('stores a correction as another version, with the earlier one still readable', async () => {
    const id = await meter()
    await store([buildCurveDay(id, DAY, 100)], at(8))
    const first = await hash(id)
    expect(await store([buildCurveDay(id, DAY, (n) => (n === 3 ? 250 : 100))], at(12))).toMatchObject({ changed: 1 })
    expect(await hash(id)).not.toBe(first)
    expect((await watts(id))[3]).toBe(250)
    expect((await watts(id, at(11)))[3]).toBe(100)
    expect((await watts(id, at(12)))[3]).toBe(250)
    expect(await watts(id, at(7))).toEqual([])
  })

  test('completes a partial day at the finer step', async () => {
    const id = await meter()
    await store([buildCurveDay(id, DAY, (n) => (n < 24 ? 600 : -1), 30)])
    await store([buildCurveDay(id, DAY, (n) => (n < 48 ? -1 : 40), 15)], at(9))
    const [day] = (await loadCurves(server.db, companyId, [id], DAY, addDays(DAY, 1))).get(id) ?? []
    expect({ step: day?.step, version: day?.version, first: day?.watts[0], last: day?.watts[95] }).toEqual({
      step: 15,
      version: 2,
      first: 600,
      last: 40,
    })
    expect(day?.watts.includes(-1)).toBe(false)
  })

  test('keeps the order of versions when the clock goes back', async () => {
    const id = await meter()
    await store([buildCurveDay(id, DAY, 1)], at(10))
    await store([buildCurveDay(id, DAY, 2)], at(6))
    expect((await watts(id))[0]).toBe(2)
    expect((await watts(id, at(10)))[0]).toBe(2)
    expect(await watts(id, at(9))).toEqual([])
  })

  test('refuses to change a received day in the database', async () => {
    const id = await meter()
    await store([buildCurveDay(id, DAY, 1)])
    const change = server.deps.db.$client.query('update curve_days set watts = watts where point_id = $1', [id])
    await expect(change).rejects.toThrow('permission denied for table curve_days')
  })

  test('ignores an empty day and refuses a point of another company', async () => {
    const id = await meter()
    expect(await store([buildCurveDay(id, DAY, -1)])).toEqual({ inserted: 0, changed: 0, same: 1 })
    const other = await makeCompany(server.db)
    const foreign = storeReadingsAndNotify(server.db, other.id, [buildCurveDay(id, DAY, 1)], {
      source: 'api',
      receivedAt: at(8),
    })
    await expect(foreign).rejects.toThrow('does not have')
  })

  test('serialises two writers of one point', async () => {
    const id = await meter()
    const both = await Promise.all([1, 2, 3, 4].map((n) => store([buildCurveDay(id, DAY, n)], at(n))))
    expect(both.filter(({ inserted }) => inserted === 1)).toHaveLength(1)
    expect(both.filter(({ changed }) => changed === 1)).toHaveLength(3)
    const { rows } = await server.db.execute(sql`select version from curve_days where point_id = ${id} order by 1`)
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4])
  })

  test('leaves nothing of a rolled back transaction', async () => {
    const id = await meter()
    const failing = transaction(server.db, async (tx) => {
      await storeReadingsAndNotify(tx, companyId, [buildCurveDay(id, DAY, 5)], { source: 'import', receivedAt: at(8) })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await watts(id)).toEqual([])
  })
})

/** Sums computed from every current day, step by step. */
async function recountMonths(id: string) {
  const months = new Map<string, { days: number; present: number; expected: number; energy: number; peak: number }>()
  for (const day of (await loadCurves(server.db, companyId, [id], '2025-01-01', '2027-01-01')).get(id) ?? []) {
    const month = `${day.day.slice(0, 7)}-01`
    const sum = months.get(month) ?? { days: 0, present: 0, expected: 0, energy: 0, peak: 0 }
    const known = [...day.watts].filter((value) => value >= 0)
    sum.days++
    sum.present += known.length
    sum.expected += day.watts.length
    sum.energy += known.reduce((a, b) => a + b, 0) * day.step
    sum.peak = Math.max(sum.peak, ...known)
    months.set(month, sum)
  }
  return Object.fromEntries(months)
}

async function loadStoredMonth(id: string) {
  const { rows } = await server.db.execute<{ month: string }>(sql`
    select month::text, days::int, present, expected, energy::float8 as energy, peak from curve_months
    where company_id = ${companyId} and point_id = ${id} order by 1`)
  return Object.fromEntries(rows.map(({ month, ...sums }) => [month, sums]))
}

describe('months', () => {
  test('equal a full recount after gaps, corrections and other steps', async () => {
    const id = await meter()
    await store(
      listDays('2025-12-20', '2026-02-10').map((day, d) => buildCurveDay(id, day, (n) => (n % 7 ? n * 10 + d : -1))),
    )
    expect(await loadStoredMonth(id)).toEqual(await recountMonths(id))
    await store([buildCurveDay(id, '2026-01-05', 9999, 30), buildCurveDay(id, '2026-02-11', 3, 60)], at(9))
    expect(await loadStoredMonth(id)).toEqual(await recountMonths(id))
    expect(Object.keys(await loadStoredMonth(id))).toEqual(['2025-12-01', '2026-01-01', '2026-02-01'])
  })
})

describe('reading', () => {
  test('aligns the clock changes of 92 and 100 quarter-hours', async () => {
    const id = await meter()
    const days = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26']
    await store(days.map((day, d) => buildCurveDay(id, day, d + 1)))
    const [from, to] = ['2026-03-28', '2026-10-27']
    const { values } = (await loadAlignedCurves(server.db, companyId, [id], from, to, 15)).get(id) ?? { values: [] }
    expect(values).toHaveLength((dayStart(to) - dayStart(from)) / 15)
    for (const [d, day] of days.entries()) {
      const first = (dayStart(day) - dayStart(from)) / 15
      const part = [...values.slice(first, first + minutesOfDay(day) / 15)]
      expect(part).toEqual(Array(minutesOfDay(day) / 15).fill((d + 1) * 15))
    }
    expect(minutesOfDay('2026-03-29') / 15).toBe(92)
    expect(minutesOfDay('2026-10-25') / 15).toBe(100)
    expect([...values].filter((value) => value >= 0)).toHaveLength(96 * 3 + 92 + 100)
  })

  test('converts other steps without loss and keeps gaps', async () => {
    const id = await meter()
    await store([buildCurveDay(id, DAY, (n) => (n === 1 ? -1 : 60), 30)])
    const read = async (step: 15 | 60) =>
      (await loadAlignedCurves(server.db, companyId, [id], DAY, addDays(DAY, 1), step)).get(id) ?? {
        values: [],
        marks: [],
      }
    const fine = await read(15)
    expect([...fine.values.slice(0, 5)]).toEqual([900, 900, -1, -1, 900])
    expect([...fine.marks.slice(0, 5)]).toEqual([1, 1, 0, 0, 1])
    expect([...(await read(60)).values.slice(0, 2)]).toEqual([-1, 3600])
  })

  test('returns every requested point, and nothing to another company', async () => {
    const [one, two] = [await meter(), await meter()]
    await store([buildCurveDay(one, DAY, 1)])
    const mine = await loadAlignedCurves(server.db, companyId, [one, two], DAY, addDays(DAY, 1), 60)
    expect([...mine.keys()]).toEqual([one, two])
    expect(mine.get(two)?.values.every((value) => value === -1)).toBe(true)
    const other = await loadAlignedCurves(server.db, companyId + 1, [one], DAY, addDays(DAY, 1), 60)
    expect(other.get(one)?.values.every((value) => value === -1)).toBe(true)
  })

  test('accepts only ids and days in its statement', async () => {
    const bad = loadCurves(server.db, companyId, ["x'; drop table points; --"], DAY, addDays(DAY, 1))
    await expect(bad).rejects.toThrow('not a value')
  })
})
