import { describe, expect, test } from 'vitest'
import { computePvWatts } from '../model/pv.ts'
import { drawBell } from '../model/random.ts'
import { createSky } from '../model/weather.ts'
import { detectPlantStop, detectUnderPerformance, isAlarm, monitorPlant, type PlantDays } from './plant-findings.ts'

const FIRST = Date.parse('2024-09-02T00:00Z') / 60_000
const DAYS = 365
const PLACE = { latitude: 45.76, longitude: 4.84 }
const sky = createSky('lyon', PLACE)
const plantCount = process.env.TEST_ALL ? 30 : 12

const sumByDay = (watts: Int32Array) =>
  Float64Array.from({ length: watts.length / 24 }, (_, day) =>
    watts.slice(day * 24, day * 24 + 24).reduce((a, b) => a + b, 0),
  )

/** A plant whose orientation is known to 8° and 4° only, and whose days vary by 6 %. */
function buildPlant(number: number): PlantDays {
  const assumed = {
    peakWatts: 9_130 + 870 * number,
    azimuth: 150 + 3 * (number % 20),
    tilt: 24 + (number % 9),
    place: PLACE,
  }
  const real = {
    ...assumed,
    azimuth: assumed.azimuth + 8 * drawBell(1, number),
    tilt: assumed.tilt + 4 * drawBell(2, number),
  }
  const energy = sumByDay(computePvWatts(real, FIRST, DAYS * 24, 60, sky)).map(
    (wh, day) => wh * (1 + 0.06 * drawBell(3, number, day)),
  )
  return { energy, clear: sumByDay(computePvWatts(assumed, FIRST, DAYS * 24, 60)) }
}

const plants = Array.from({ length: plantCount }, (_, number) => buildPlant(number))
const getNeighbours = (number: number) => [1, 2, 3].map((off) => plants[(number + off) % plantCount] as PlantDays) // by modulo
const reducePlantEnergy = ({ energy, clear }: PlantDays, from: number, factor: number): PlantDays => {
  return { energy: Float64Array.from(energy, (wh, day) => (day >= from ? wh * factor : wh)), clear }
}

/** Days until a loss is reported, for each plant that had one. */
function delays(factor: number): number[] {
  return plants.flatMap((plant, number) => {
    const from = 200 + ((number * 37) % 110)
    const watch = monitorPlant(reducePlantEnergy(plant, from, factor), getNeighbours(number))
    const found = watch.findIndex((day, at) => at >= from && at < from + 45 && isAlarm(day))
    return found < 0 ? [] : [found - from]
  })
}

describe('a plant that produces less than its neighbours', () => {
  test('losses are found, larger ones sooner; false alarms are rare', () => {
    const found = [0.7, 0.85, 0.9].map(delays)
    const rates = found.map((days) => days.length / plantCount)
    const alarms = plants.filter((plant, number) => monitorPlant(plant, getNeighbours(number)).some(isAlarm)).length
    expect(rates[0]).toBeGreaterThanOrEqual(0.9)
    expect(rates[1]).toBeGreaterThanOrEqual(0.7)
    expect(rates[2]).toBeGreaterThanOrEqual(0.4)
    expect((found[0] ?? []).sort((a, b) => a - b)[Math.floor(plantCount / 2)]).toBeLessThanOrEqual(10)
    expect(alarms / plantCount).toBeLessThanOrEqual(0.15)
  })

  test('the loss is counted from the day it began, and nothing is reported without two neighbours', () => {
    const plant = reducePlantEnergy(plants[0] as PlantDays, DAYS - 20, 0.7)
    const found = detectUnderPerformance(plant, getNeighbours(0))
    const lost = Array.from({ length: 20 }, (_, i) => ((plant.energy[DAYS - 20 + i] ?? 0) / 0.7) * 0.3).reduce(
      (a, b) => a + b,
      0,
    )
    expect(found?.evidence.drop).toBeCloseTo(0.3, 1)
    expect(Math.abs((found?.evidence.from ?? 0) - (DAYS - 20))).toBeLessThanOrEqual(3)
    expect((found?.evidence.lostWh ?? 0) / lost).toBeGreaterThan(0.75)
    expect((found?.evidence.lostWh ?? 0) / lost).toBeLessThan(1.25)
    expect(detectUnderPerformance(plant, getNeighbours(0).slice(0, 1))).toBeNull()
    // A plant without neighbours is compared with the model under the announced weather.
    expect(detectUnderPerformance(plant, [], plants[0])).not.toBeNull()
  })
})

describe('a plant that stopped', () => {
  const bump = (peak: number) => (_: unknown, hour: number) =>
    Math.max(0, Math.round(peak * Math.sin(((hour % 24) - 6) * (Math.PI / 12))))
  const envelope = Array.from({ length: 10 * 24 }, bump(8_300))
  const neighbours = [0.8, 0.7].map((part) => envelope.map((watts) => (watts > 0 ? part : 0)))
  const stopped = (days: number[]) => envelope.map((watts, hour) => (days.includes(Math.floor(hour / 24)) ? 0 : watts))

  test('two days at zero are reported with what they cost, one is not, nor are two of last week', () => {
    const found = detectPlantStop(stopped([8, 9]), envelope, neighbours)
    expect(found?.evidence.stretches).toHaveLength(2)
    const whole = envelope.slice(0, 48).reduce((a, b) => a + b, 0)
    expect(found?.evidence.lostWh).toBeCloseTo(0.75 * whole, 0)
    expect(detectPlantStop(stopped([9]), envelope, neighbours)).toBeNull()
    expect(detectPlantStop(stopped([2, 3]), envelope, neighbours)).toBeNull()
  })

  test('a dark day, unknown hours and short interruptions are not reported', () => {
    const dark = neighbours.map((parts) => parts.map((part) => part / 3))
    expect(detectPlantStop(stopped([8, 9]), envelope, dark)).toBeNull()
    expect(
      detectPlantStop(
        stopped([8, 9]).map((watts) => (watts === 0 ? -1 : watts)),
        envelope,
        neighbours,
      ),
    ).toBeNull()
    const short = envelope.map((watts, hour) => (hour % 24 >= 11 && hour % 24 < 14 ? 0 : watts))
    expect(detectPlantStop(short, envelope, neighbours)).toBeNull()
  })
})
