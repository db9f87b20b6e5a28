import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dayStart, localTime, offsetAt, stepsOfDay } from '../calendar/calendar.ts'
import { MISSING, sumKnown } from '../series/series.ts'
import { allocateEnergy, type PointCurve } from './allocate.ts'

const root = process.env.VOISOL_DATA ?? new URL('../../../../../shared/data', import.meta.url).pathname
const file = `${root}/allocation/eeg_B_2022-10_2022-12_15min.csv.gz`
const hasDataFile = existsSync(file)

const FIRST = dayStart('2022-10-04')
const STEPS = (dayStart('2022-12-18') - FIRST) / 15

type Curves = Map<string, Int32Array>

/** The instant of a wall-clock stamp; `again` is the second of the two when the clock goes back. */
function parseInstant(stamp: string, again: boolean): number {
  const start = dayStart(stamp.slice(0, 10))
  const wall = start + offsetAt(start) + Number(stamp.slice(11, 13)) * 60 + Number(stamp.slice(14, 16))
  return again || localTime(wall - 120).minuteOfDay !== ((wall % 1440) + 1440) % 1440 ? wall - 60 : wall - 120
}

/** Curves by meter and quantity, in millionths of a kWh, as the file has them; MISSING where it has no row. */
function readCurves(): Curves {
  const curves: Curves = new Map()
  const [, ...rows] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  for (const row of rows) {
    const [stamp = '', meter = '', , quantity = '', kwh = ''] = row.split(',')
    const name = `${meter} ${quantity}`
    const curve = curves.get(name) ?? new Int32Array(STEPS).fill(MISSING)
    curves.set(name, curve)
    const at = (parseInstant(stamp, false) - FIRST) / 15
    const place = curve[at] === MISSING ? at : (parseInstant(stamp, true) - FIRST) / 15
    curve[place] = Math.round(Number(kwh) * 1e6)
  }
  return curves
}

/** A meter belongs to the community while it has rows. */
function membership(values: Int32Array): [number, number][] {
  const ranges: [number, number][] = []
  for (let at = 0; at < values.length; at++) {
    if (values[at] === MISSING) continue
    const from = at
    while (at < values.length && values[at] !== MISSING) at++
    ranges.push([from, at])
  }
  return ranges
}

const toPointCurves = (curves: Curves, quantity: string): PointCurve[] =>
  [...curves]
    .filter(([name]) => name.endsWith(` ${quantity}`))
    .map(([name, values]) => ({ id: name.slice(0, 3), values, active: membership(values) }))

const total = (points: PointCurve[]) => points.reduce((sum, { values }) => sum + sumKnown(values), 0)

if (!hasDataFile)
  console.warn(`Données réelles absentes (${file}) : la comparaison avec le gestionnaire de réseau est sautée.`)

describe.skipIf(!hasDataFile)('a real community, compared with the results of its grid operator', () => {
  const curves = hasDataFile ? readCurves() : new Map<string, Int32Array>()
  const consumers = toPointCurves(curves, 'consumption_kwh')
  const producers = toPointCurves(curves, 'production_kwh')
  const from = (dayStart('2022-10-08') - FIRST) / 15
  const result = hasDataFile
    ? allocateEnergy({ steps: STEPS, consumers, producers, keys: [{ from: 0, to: STEPS, key: { method: 'default' } }] })
    : undefined

  test('the day the clock goes back has 100 quarter hours, each with its own value', () => {
    const start = (dayStart('2022-10-30') - FIRST) / 15
    expect(stepsOfDay('2022-10-30', 15)).toBe(100)
    const day = consumers[0]?.values.subarray(start, start + 100)
    expect(day?.includes(MISSING)).toBe(false)
  })

  test('the file is read completely', () => {
    expect([consumers.length, producers.length]).toEqual([28, 6])
    expect(total(consumers)).toBe(29559_533_500)
    expect(total(producers)).toBe(1621_610_750)
    expect(total(toPointCurves(curves, 'self_coverage_kwh'))).toBe(1256_052_341)
    expect(total(toPointCurves(curves, 'surplus_kwh'))).toBe(301_506_522)
  })

  test('from 8 October to 17 December every consumer gets what the operator published', () => {
    let cells = 0
    let worst = 0
    for (const [i, { id, values }] of consumers.entries()) {
      const operator = curves.get(`${id} self_coverage_kwh`)
      for (let at = from; at < STEPS; at++) {
        if (values[at] === MISSING) continue
        cells++
        worst = Math.max(worst, Math.abs((result?.allocated[i]?.[at] ?? 0) - (operator?.[at] ?? 0)))
      }
    }
    expect(cells).toBeGreaterThan(170_000)
    expect(worst).toBeLessThanOrEqual(3)
  })

  test('the allocated energy of the period equals that of the operator', () => {
    let [ours, theirs] = [0, 0]
    for (const [i, { id }] of consumers.entries()) {
      ours += sumKnown(result?.allocated[i]?.subarray(from) ?? new Int32Array())
      theirs += sumKnown(curves.get(`${id} self_coverage_kwh`)?.subarray(from) ?? new Int32Array())
    }
    // Each of some 180 000 cells of the file is rounded to a millionth of a kWh.
    expect(Math.abs(ours - theirs)).toBeLessThan(2000)
    expect(result?.counts.excluded).toBe(0)
  })

  test('the surplus is equal too, at every step where the operator’s own values add up', () => {
    const columns = ['production_kwh', 'self_coverage_kwh', 'surplus_kwh'].map((quantity) => {
      const sums = new Float64Array(STEPS)
      for (const { values } of toPointCurves(curves, quantity))
        for (let at = 0; at < STEPS; at++) sums[at] = (sums[at] ?? 0) + Math.max(0, values[at] ?? 0)
      return sums
    })
    let balanced = 0
    let worst = 0
    for (let at = from; at < STEPS; at++) {
      const [produced = 0, covered = 0, surplus = 0] = columns.map((sums) => sums[at] ?? 0)
      if (Math.abs(produced - covered - surplus) > 100) continue
      balanced++
      const left = producers.reduce(
        (sum, _, j) => sum + (result?.produced[j]?.[at] ?? 0) - (result?.shared[j]?.[at] ?? 0),
        0,
      )
      worst = Math.max(worst, Math.abs(left - surplus))
    }
    expect(balanced / (STEPS - from)).toBeGreaterThan(0.97)
    expect(worst).toBeLessThanOrEqual(100)
  })
})
