import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import { DEFAULT_CALENDAR } from '../calendar/time-classes.ts'
import { computeGini, computeJainIndex, listEnvyPairs } from './better-key.ts'
import { compareGridOptions } from './grid-tariff.ts'
import { rankCandidates } from './join-candidates.ts'
import { computeBestStaticKey, computeUsedEnergy, type StaticKeyMember } from './static-key.ts'

const watts = fc.integer({ min: 0, max: 40 })
const curve = fc.array(watts, { minLength: 5, maxLength: 5 })
const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0)

/** The optimum of a linear programme is at a vertex: all coefficients but one are at a breakpoint or a bound. */
function bruteForce(members: StaticKeyMember[], production: number[]): number {
  const points = members.map(({ consumption, least = 0, most = 1 }) => {
    const breaks = production.flatMap((made, at) => (made > 0 ? [(consumption[at] ?? 0) / made] : []))
    return [...new Set([least, most, ...breaks])].filter((k) => k >= least && k <= most)
  })
  let best = Number.NEGATIVE_INFINITY
  const visit = (at: number, free: number, chosen: number[]): void => {
    if (at === members.length) {
      const rest = free < 0 ? 0 : 1 - sum(chosen)
      const { least = 0, most = 1 } = members[free] ?? {}
      const all = free < 0 ? chosen : chosen.with(free, rest)
      if (free >= 0 && (rest < least - 1e-12 || rest > most + 1e-12)) return
      if (sum(all) > 1 + 1e-9) return
      const shares = Object.fromEntries(members.map(({ id }, i) => [id, all[i] ?? 0]))
      best = Math.max(best, computeUsedEnergy(members, production, shares))
      return
    }
    for (const k of points[at] ?? []) visit(at + 1, free, [...chosen, k])
    if (free < 0) visit(at + 1, at, [...chosen, 0])
  }
  visit(0, -1, [])
  return best
}

describe('the best static key', () => {
  test('equals the optimum of the linear programme, bounds and values included', () => {
    const member = fc.record({
      consumption: curve,
      value: fc.integer({ min: 1, max: 4 }),
      least: fc.constantFrom(0, 0.11, 0.24),
      most: fc.constantFrom(0.41, 0.73, 1),
    })
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 3 }), curve, (drawn, production) => {
        const members = drawn.map((each, i) => ({ ...each, id: `m${i}` }))
        const key = computeBestStaticKey(members, production)
        const shares = Object.values(key?.shares ?? {})
        expect(sum(shares)).toBeLessThanOrEqual(1 + 1e-9)
        members.forEach(({ id, least, most }) => {
          expect(key?.shares[id]).toBeGreaterThanOrEqual(least)
          expect(key?.shares[id]).toBeLessThanOrEqual(most)
        })
        expect(key?.used).toBeCloseTo(bruteForce(members, production), 6)
      }),
      { numRuns: process.env.TEST_ALL ? 400 : 60 },
    )
  })

  test('members of opposite hours: equal shares lose what the best key finds', () => {
    const production = [100, 100, 100, 100]
    const members = [
      { id: 'day', consumption: [90, 85, 88, 91] },
      { id: 'night', consumption: [4, 6, 5, 3] },
    ]
    const key = computeBestStaticKey(members, production)
    expect(key?.used).toBeGreaterThan(1.5 * computeUsedEnergy(members, production, { day: 0.5, night: 0.5 }))
  })

  test('bounds that no key satisfies give null', () => {
    const members = [1, 2, 3].map((i) => ({ id: `${i}`, consumption: [7], least: 0.4 }))
    expect(computeBestStaticKey(members, [9])).toBeNull()
    expect(computeBestStaticKey([{ id: 'a', consumption: [7], least: 0.6, most: 0.5 }], [9])).toBeNull()
  })
})

test('fairness: equal shares, one member with everything, and envy beyond five per cent', () => {
  expect([computeGini([3.1, 3.1, 3.1]), computeJainIndex([3.1, 3.1, 3.1])]).toEqual([0, 1])
  expect(computeGini([0, 0, 0, 9.2])).toBeCloseTo(0.75, 12)
  expect(computeJainIndex([0, 0, 0, 9.2])).toBeCloseTo(0.25, 12)
  const members = [
    { id: 'a', consumption: [80, 80] },
    { id: 'b', consumption: [80, 80] },
  ]
  expect(listEnvyPairs(members, [100, 100], { a: 0.49, b: 0.51 })).toEqual([])
  expect(listEnvyPairs(members, [100, 100], { a: 0.47, b: 0.53 })).toEqual([['a', 'b']])
})

describe('best next member', () => {
  const production = [0, 510, 930, 640, -1]
  const consumption = [220, 300, 310, 700, 100]
  const surplus = [0, 210, 620, 0, 0]

  test('a candidate equal to the surplus comes first and uses all of it', () => {
    const [first, ...others] = rankCandidates(production, consumption, [
      { id: 'night', consumption: [900, 0, 0, 0, 0] },
      { id: 'even', consumption: [200, 200, 200, 200, 200] },
      { id: 'surplus', consumption: surplus },
    ])
    expect(first).toMatchObject({ id: 'surplus', more: 830, dilution: 0 })
    expect(others.map(({ id }) => id)).toEqual(['even', 'night'])
  })

  test('what a candidate receives is the new use plus what members lose', () => {
    for (const each of rankCandidates(production, consumption, [{ id: 'x', consumption: [50, 400, 800, 350, 9] }])) {
      expect(each.candidate).toBeCloseTo(each.more + each.dilution, 9)
      expect(each.dilution).toBeGreaterThan(0)
    }
  })
})

describe('the grid tariff of a consumer', () => {
  const startsAt = dayStart('2025-01-01')
  const year = { startsAt, step: 60 as const, watts: new Int32Array(8760).fill(420) }
  const none = new Int32Array(8760)

  test('each option costs what the price table gives', () => {
    const costs = Object.fromEntries(
      (compareGridOptions(year, none, 6, DEFAULT_CALENDAR) ?? []).map((o) => [o.name, o.euros]),
    )
    const kwh = 0.42 * 8760
    expect(costs.CUST).toBeCloseTo(16.8 + 22 + 11.07 * 6 + kwh * 0.0484, 6)
    expect(costs.LU).toBeCloseTo(16.8 + 22 + 93.13 * 6 + kwh * 0.0125, 6)
    const rate = ((365 * 16 - 0) * 0.0494 + 365 * 8 * 0.035) * 0.42
    expect(costs.MUDT).toBeCloseTo(16.8 + 22 + 13.49 * 6 + rate, 1)
  })

  test('a consumer with many allocated kWh gains by its formula, one with none does not', () => {
    const alone = compareGridOptions(year, none, 6, DEFAULT_CALENDAR) ?? []
    expect(alone[0]?.name).not.toContain('collective')
    const much = compareGridOptions(year, year.watts, 6, DEFAULT_CALENDAR) ?? []
    expect(much[0]?.name).toContain('collective')
    expect(alone).toHaveLength(7)
  })

  test('missing steps do not count as zero: half a year unknown costs the same year', () => {
    const holed = { ...year, watts: year.watts.map((value, at) => (at % 48 < 24 ? value : -1)) }
    const [a, b] = [year, holed].map((curve) =>
      compareGridOptions(curve, none, 6, DEFAULT_CALENDAR)?.find(({ name }) => name === 'CUST'),
    )
    expect(b?.euros).toBeCloseTo(a?.euros ?? 0, 6)
    expect(compareGridOptions({ ...year, watts: year.watts.map(() => -1) }, none, 6, DEFAULT_CALENDAR)).toBeNull()
  })
})
