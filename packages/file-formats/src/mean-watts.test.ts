import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { READING_UNITS, type ReadingUnit } from './curve-file-types.ts'
import { AUTUMN_CHANGE_DAY, buildDayStamps, formatParisClock, getWattsByDay, PRM, parseFixture } from './fixtures.ts'
import { createRemainderCarry } from './intervals.ts'

const SCALE: Record<ReadingUnit, bigint> = { W: 1n, kW: 1000n, Wh: 1n, kWh: 1000n }
/** Billionths of a watt-minute, in integers of any size. */
const exactEnergy = (nano: number, unit: ReadingUnit, step: number) =>
  BigInt(nano) * SCALE[unit] * BigInt(unit === 'W' || unit === 'kW' ? step : 60)

const reading = fc.record({
  nano: fc.oneof(
    fc.integer({ min: 0, max: 3_000_000_000 }),
    fc.integer({ min: 0, max: 40_000 }).map((whole) => whole * 1_000_000),
    fc.integer({ min: 0, max: 9_000_000 }).map((whole) => whole * 1_000_000_000),
  ),
  step: fc.constantFrom(5, 10, 15, 30, 60),
})

describe('what is finer than the watt', () => {
  test('is carried: the energy of a day is off by half a watt over its longest step at most, in exact numbers', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...READING_UNITS),
        fc.array(reading, { minLength: 1, maxLength: 100 }),
        (unit, readings) => {
          const carry = createRemainderCarry(unit)
          let off = 0n
          let longest = 0
          for (const { nano, step } of readings) {
            const watts = carry.watts(nano, step)
            expect(watts).toBeGreaterThanOrEqual(0)
            off += exactEnergy(nano, unit, step) - BigInt(watts) * BigInt(step) * 1_000_000_000n
            longest = Math.max(longest, step)
          }
          const most = (BigInt(longest) * 1_000_000_000n) / 2n
          expect(off <= most && off >= -most).toBe(true)
          expect(BigInt(carry.close()) * (1_000_000_000n / BigInt(carry.parts))).toBe(off)
        },
      ),
    )
  })

  test('leaves a whole number of watts as it is, whatever was carried before it', () => {
    const carry = createRemainderCarry('W')
    expect(carry.watts(500_000_000, 15)).toBe(1)
    expect(carry.watts(0, 15)).toBe(0)
    expect(carry.watts(7_000_000_000, 15)).toBe(7)
    expect(carry.watts(400_000_000, 15)).toBe(0)
    expect(carry.watts(400_000_000, 15)).toBe(0)
    expect(carry.watts(400_000_000, 15)).toBe(1)
    carry.close()
    // Half a watt over an hour is two watts over a quarter of it.
    expect([carry.watts(500_000_000, 60), carry.watts(7_000_000_000, 15)]).toEqual([1, 7])
  })

  test('is not zero where it lasts: 0,4 W through the long day is 10 Wh', () => {
    const stamps = buildDayStamps(AUTUMN_CHANGE_DAY, 15, 'start', formatParisClock)
    const file = parseFixture([`Horodate;${PRM} (W)`, ...stamps.map((stamp) => `${stamp};0,4`)].join('\n'), 'x.csv', {
      stamp: 'start',
    })
    const watts = getWattsByDay(file)[AUTUMN_CHANGE_DAY] ?? []
    expect([watts.length, watts.reduce((sum, value) => sum + value, 0)]).toEqual([100, 40])
    expect(watts.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 0])
    expect(file.counts).toEqual({ rounded: 100 })
    expect(file.problems[0]?.message).toBe(
      '100 valeurs plus fines que le watt, à partir de la ligne 2\u00a0: le reste est reporté de pas en pas dans la journée (aucun écart).',
    )
  })

  test('starts afresh with each local day: a day alone gives what it gives among others', () => {
    // 200,6 W: a day leaves a fifth of a watt behind, which would lower the first value of the next.
    const row = (stamp: string) => `${stamp};0,1003`
    const days = ['2026-02-02', '2026-02-03'].map((day) => buildDayStamps(day, 30, 'start', formatParisClock).map(row))
    const read = (rows: string[]) => parseFixture([`Début;${PRM} (kWh)`, ...rows].join('\n'))
    const alone = getWattsByDay(read(days[1] ?? []))['2026-02-03']
    expect(alone?.slice(0, 3)).toEqual([201, 200, 201])
    expect(getWattsByDay(read(days.flat()))['2026-02-03']).toEqual(alone)
  })
})
