import { expect, test } from 'vitest'
import { computePersistence } from './consumption-forecast.ts'
import { computeBandCoverage, computeBias, computeNmae, computePinball, scoreSteps } from './score.ts'

const LYON = { latitude: 45.7, longitude: 4.8 }
const NOON = Date.parse('2026-06-21T10:00Z') / 60_000
const MIDNIGHT = Date.parse('2026-06-20T22:00Z') / 60_000
const levels = [0.1, 0.5, 0.9]

test('persistence is the last known day at the same time, never anything after the issue', () => {
  const watts = Int32Array.from({ length: 96 }, (_, at) => at)
  const recent = { startsAt: 0, step: 60 as const, watts }
  const ask = { issuedAt: 48 * 60, startsAt: 48 * 60, steps: 48, step: 60 as const }
  // Hours 24 to 47 are known at the issue: both days repeat them.
  const day = Array.from({ length: 24 }, (_, at) => 24 + at)
  expect([...computePersistence(ask, recent)]).toEqual([...day, ...day])
})

test('persistence skips a missing day, and is unknown where nothing is known', () => {
  const watts = Int32Array.from({ length: 48 }, (_, at) => (at === 30 ? -1 : at === 7 || at === 31 ? -1 : at))
  const recent = { startsAt: 0, step: 60 as const, watts }
  const said = computePersistence({ issuedAt: 48 * 60, startsAt: 48 * 60, steps: 24, step: 60 }, recent)
  expect([said[5], said[6], said[7]]).toEqual([29, 6, -1])
})

test('sums over the same rows give the same scores as the formulas', () => {
  const measured = [100, 200, -1, 400]
  const said = [
    [50, 150, 0, 450],
    [90, 230, 10, 480],
    [120, 260, 20, 500],
  ]
  const sums = scoreSteps({
    startsAt: NOON,
    step: 15,
    measured,
    levels,
    said,
    persistence: [80, 80, 80, -1],
    place: LYON,
  })
  const rows = { measured: [100, 200], said: said.map((level) => level.slice(0, 2)) }
  const [low = [], middle = [], high = []] = rows.said
  expect(sums.steps).toBe(2)
  expect(sums.absolute / sums.steps).toBe(computeNmae(rows.measured, middle, 1))
  expect(sums.signed / sums.steps).toBe(computeBias(rows.measured, middle, 1))
  expect(sums.persistence).toBe(20 + 120)
  expect(sums.covered / sums.bandSteps).toBe(computeBandCoverage(rows.measured, low, high))
  const losses = rows.said.map((level, at) => computePinball(rows.measured, level, levels[at] ?? 0, 1))
  expect(sums.pinball / sums.bandSteps).toBeCloseTo(losses.reduce((a, b) => a + b, 0) / 3, 9)
})

test('without a band only the middle is scored; bands starting at zero are scored and counted apart', () => {
  const said = [
    [-1, 90, 0],
    [100, 100, 0],
    [-1, 120, 0],
  ]
  const one = {
    startsAt: NOON,
    step: 15 as const,
    measured: [110, 110, 0],
    levels,
    persistence: [0, 0, 0],
    place: LYON,
  }
  expect(scoreSteps({ ...one, said })).toMatchObject({
    steps: 3,
    absolute: 20,
    bandSteps: 2,
    covered: 2,
    openSteps: 1,
    openCovered: 1,
  })
  const left = [
    [0, 90, 0],
    [10, 100, 0],
    [60, 120, 40],
  ]
  const surplus = { ...one, measured: [0, 110, 0], said: left }
  const whole = { steps: 3, bandSteps: 3, covered: 3 }
  expect(scoreSteps(surplus)).toMatchObject({ ...whole, openSteps: 3 })
  expect(scoreSteps({ ...surplus, aboveZero: true })).toMatchObject({ ...whole, openSteps: 1, openCovered: 1 })
  // A band of no width holds its own value and nothing else.
  const flat = [100, 100, 100].map((watts) => [watts])
  const missed = { ...one, measured: [101], persistence: [0], said: flat }
  expect(scoreSteps(missed)).toMatchObject({ bandSteps: 1, covered: 0, openSteps: 0 })
})

test('night counts for the error, not for the band', () => {
  const night = { startsAt: MIDNIGHT, step: 15 as const, measured: [0, 0], levels, persistence: [0, 0] }
  const said = [0, 0, 40].map((watts) => [watts, watts])
  expect(scoreSteps({ ...night, said, place: LYON })).toMatchObject({ steps: 2, bandSteps: 0, covered: 0 })
  expect(scoreSteps({ ...night, said, place: null })).toMatchObject({ steps: 2, bandSteps: 2, covered: 2 })
  expect(scoreSteps({ ...night, said, place: LYON, atNight: true })).toMatchObject({ bandSteps: 0, openSteps: 2 })
})
