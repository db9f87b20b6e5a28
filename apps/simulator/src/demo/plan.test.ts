import { Email, Prm } from '@voisol/contract/primitives'
import { addDays, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { findPerimeterProblems } from '@voisol/energy/perimeter'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BROKEN_PLANT_REF } from './berges.ts'
import { createFullScale, getDayInMonth, type OperationPlan } from './blueprint.ts'
import { computeReceivedDays, createReadingSite, listLostDays } from './demo-readings.ts'
import { buildDemoOperations, buildRunningOperations } from './plan.ts'
import { SILENT_METER_REF } from './rhone-sud.ts'

const ANCHOR = '2026-05-20'
const plans = buildDemoOperations(createFullScale(ANCHOR))
const lines = plans.flatMap((plan) => plan.lines)
const meters = plans.flatMap((plan) => plan.meters)

const count = ({ meters: all }: OperationPlan, direction: string) =>
  all.filter((meter) => meter.direction === direction).length

describe('the plan of the demo', () => {
  test('has a co-ownership, a district and an industrial site', () => {
    const sizes = buildRunningOperations(createFullScale(ANCHOR)).map((plan) => [
      count(plan, 'consumption'),
      count(plan, 'production'),
    ])
    expect(sizes).toEqual([
      [25, 1],
      [120, 5],
      [8, 2],
    ])
  })

  test('numbers are valid and unique', () => {
    // A battery is one meter with two directions.
    expect(new Set(meters.map(({ prm, direction }) => `${prm} ${direction}`)).size).toBe(meters.length)
    expect(lines.filter(({ storage }) => storage).map(({ label }) => label)).toEqual(['Batterie de la halle'])
    for (const { prm, email, siren = '' } of lines) {
      expect(Prm.safeParse(prm).success).toBe(true)
      if (email) expect(Email.safeParse(email).success).toBe(true)
      const digits = [...siren].map((digit, at) => Number(digit) * (at % 2 === 1 ? 2 : 1))
      expect(digits.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10).toBe(0)
    }
    for (const { values } of plans) expect(z.uuidv4().safeParse(values.id).success).toBe(true)
  })

  test('each e-mail address belongs to one person', () => {
    const holders = Map.groupBy(
      lines.filter(({ email }) => email),
      ({ email }) => email,
    )
    for (const [, own] of holders) {
      const names = new Set(own.map(({ name, firstName, lastName }) => name ?? `${firstName} ${lastName}`))
      expect(names.size).toBe(1)
    }
  })

  test('running operations are within their perimeter', () => {
    for (const { values, lines: own } of buildRunningOperations(createFullScale(ANCHOR))) {
      const points = own.map(({ prm, latitude, longitude }) => ({
        id: prm,
        latitude: latitude ?? 0,
        longitude: longitude ?? 0,
      }))
      const perimeter = values.perimeter as 'extended' // one of the five values
      expect(findPerimeterProblems({ perimeter, zone: 'metropole', points, watts: values.capacityWatts ?? 0 })).toEqual(
        [],
      )
    }
  })
})

describe('the readings of the demo', () => {
  const [home, roof, district, site] = [plans[0], plans[0], plans[1], plans[2]].map((plan, n) => {
    const meter = plan?.meters.at([0, -1, -2, -1][n] ?? 0)
    if (!plan || !meter) throw new Error('no such meter')
    return { plan, meter, place: createReadingSite(plan.values, ANCHOR) }
  })
  const read = (one: typeof home, from: string, to: string) => {
    if (!one) throw new Error('no such meter')
    return computeReceivedDays(one.meter, one.place, listDays(from, to))
  }

  test('a day does not depend on the days around it', () => {
    for (const one of [home, roof, district, site]) {
      const day = '2026-02-11'
      const alone = read(one, day, addDays(day, 1)).get(day)
      expect(read(one, '2026-01-20', '2026-02-20').get(day)).toEqual(alone)
      expect(alone?.watts.some((value) => value > 0)).toBe(true)
    }
  })

  test('clock change days have 23 and 25 hours', () => {
    for (const one of [home, roof]) {
      expect(read(one, '2025-10-26', '2025-10-27').get('2025-10-26')?.watts).toHaveLength(100)
      expect(read(one, '2026-03-29', '2026-03-30').get('2026-03-29')?.watts).toHaveLength(92)
    }
  })

  test('incidents leave gaps rather than zeros, and a breakdown zeros rather than gaps', () => {
    const find = (ref: string) => {
      const plan = plans.find(({ meters: own }) => own.some((meter) => meter.ref === ref))
      const meter = plan?.meters.find((own) => own.ref === ref)
      if (!plan || !meter) throw new Error(ref)
      return { plan, meter, place: createReadingSite(plan.values, ANCHOR) }
    }
    expect([...read(find(SILENT_METER_REF), addDays(ANCHOR, -7), ANCHOR).keys()]).toEqual([
      addDays(ANCHOR, -7),
      addDays(ANCHOR, -6),
    ])
    expect(listLostDays(SILENT_METER_REF, ANCHOR).size).toBe(7)
    const day = getDayInMonth(ANCHOR, -2, 12)
    const still = read(find(BROKEN_PLANT_REF), day, addDays(day, 1)).get(day)
    expect(still?.watts).toHaveLength(stepsOfDay(day, 15))
    expect(still?.watts.every((value) => value === 0)).toBe(true)
    const partial = getDayInMonth(ANCHOR, -2, 9)
    const gap = read(find('tilleuls 8'), partial, addDays(partial, 1)).get(partial)
    expect(gap?.watts.filter((value) => value === -1)).toHaveLength(12)
  })
})
