import { describe, expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import type { AllocationKey } from '../keys/keys.ts'
import { computeLoadWatts } from '../model/profiles.ts'
import { computePvWatts } from '../model/pv.ts'
import { createSky } from '../model/weather.ts'
import { type CompareKeysInput, compareKeys, findBetterKey } from './better-key.ts'
import { rankCandidatesByKernel } from './join-candidates.ts'

const PLACE = { latitude: 45.76, longitude: 4.84 }
const FIRST = dayStart('2025-04-01')
const DAYS = 91
const steps = DAYS * 24
const heldOutSteps = 61 * 24
const point = (id: string, values: Int32Array) => ({ id, values, active: [[0, steps]] as [number, number][] })
const buildSunnyPlant = (number: number) =>
  computePvWatts({ peakWatts: 9_300, azimuth: 180, tilt: 25, place: PLACE }, FIRST, steps, 60, createSky(number, PLACE))
/** Members with opposite hours: offices by day, homes in the evening. */
const buildKeyQuestion = (number: number, key: AllocationKey): CompareKeysInput => {
  const office = computeLoadWatts('office', 9_700, `office ${number}`, FIRST, steps, 60)
  const home = computeLoadWatts('ev-household', 9_900, `home ${number}`, FIRST, steps, 60)
  const [producers, consumers] = [
    [point('plant', buildSunnyPlant(number))],
    [point('office', office), point('home', home)],
  ]
  return { steps, step: 60, heldOut: heldOutSteps, producers, consumers, current: [{ from: 0, to: steps, key }] }
}
const halfSharesKey: AllocationKey = { method: 'static', shares: { office: 150_000, home: 850_000 } }

describe('a better key', () => {
  test('opposite hours: a better key is found in every scenario, none where all is shared already', () => {
    const found = Array.from({ length: 8 }, (_, n) =>
      findBetterKey(compareKeys(buildKeyQuestion(n, halfSharesKey)), 1e12, 30),
    )
    expect(found.filter(Boolean)).toHaveLength(8)
    for (const one of found) expect(one?.evidence.offer.name).toBe('default')
    const whole = Array.from({ length: 8 }, (_, n) => compareKeys(buildKeyQuestion(n, { method: 'default' })))
    expect(whole.every(({ usesAll }) => usesAll)).toBe(true)
    expect(whole.map((each) => findBetterKey(each, 0, 30)).filter(Boolean)).toHaveLength(0)
  })

  test('when the best static key is in force already, only the default key is proposed', () => {
    const { offers } = compareKeys(buildKeyQuestion(3, halfSharesKey))
    const best = offers.find(({ name }) => name === 'bounded')
    const shares = Object.fromEntries(
      Object.entries(best?.shares ?? {}).map(([id, share]) => [id, Math.floor(share * 1e6)]),
    )
    const again = compareKeys(buildKeyQuestion(3, { method: 'static', shares }))
    expect(again.offers.find(({ name }) => name === 'bounded')?.more).toBe(0)
  })

  test('proposals keep their bounds and lowest coverage, with figures of the held-out month alone', () => {
    const { offers, current, produced } = compareKeys(buildKeyQuestion(5, halfSharesKey))
    const of = (name: string) => offers.find((offer) => offer.name === name)
    const [office, home] = [9_700 / 19_600, 9_900 / 19_600]
    expect(of('bounded')?.shares?.office).toBeLessThanOrEqual(2.2 * office)
    expect(of('bounded')?.shares?.home).toBeGreaterThanOrEqual(0.45 * home)
    expect(of('floor')?.least).toBeGreaterThanOrEqual((of('bounded')?.least ?? 0) - 0.02)
    expect(of('default')?.received).toBeGreaterThanOrEqual(of('bounded')?.received ?? 0)
    expect(of('default')?.more).toBe((of('default')?.received ?? 0) - current.received)
    expect(produced).toBe(
      buildSunnyPlant(5)
        .slice(heldOutSteps)
        .reduce((a, b) => a + b, 0),
    )
    expect(of('default')?.points).toBeCloseTo((of('default')?.more ?? 0) / produced, 9)
  })

  test('where all is shared already nothing is proposed, whatever a comparison promises', () => {
    const promised = compareKeys(buildKeyQuestion(1, halfSharesKey))
    expect(findBetterKey(promised, 1e12, 30)).not.toBeNull()
    expect(findBetterKey({ ...promised, usesAll: true }, 1e12, 30)).toBeNull()
  })

  test('coefficients are chosen on the days before the month that judges them', () => {
    const question = buildKeyQuestion(4, halfSharesKey)
    // In the held-out month the plant stops half of each day: its figures change, the coefficients chosen do not.
    const producers = question.producers.map((each) => ({
      ...each,
      values: each.values.map((own, at) => (at >= heldOutSteps && at % 24 < 11 ? 0 : own)),
    }))
    const [plain, other] = [compareKeys(question), compareKeys({ ...question, producers })]
    expect(other.produced).toBeLessThan(plain.produced)
    expect(other.offers.map(({ shares }) => shares)).toEqual(plain.offers.map(({ shares }) => shares))
  })

  test('a gain that one week alone explains is not enough', () => {
    const question = buildKeyQuestion(2, halfSharesKey)
    const week = (at: number) => Math.floor((at - heldOutSteps) / 168)
    const consumers = question.consumers.map((each) => ({
      ...each,
      values: each.values.map((own, at) => (each.id === 'office' && at >= heldOutSteps && week(at) !== 1 ? 0 : own)),
    }))
    expect(
      compareKeys({ ...question, consumers }).offers.find(({ name }) => name === 'bounded')?.positive,
    ).toBeLessThan(9)
  })
})

describe('best next member under a key that leaves surplus', () => {
  const producers = [point('plant', buildSunnyPlant(7))]
  const consumers = [point('home', computeLoadWatts('household', 3_100, 'h', FIRST, steps, 60))]
  const candidates = [
    { id: 'night', consumption: computeLoadWatts('street-lighting', 4_000, 'n', FIRST, steps, 60) },
    { id: 'office', consumption: computeLoadWatts('office', 4_000, 'o', FIRST, steps, 60) },
  ]

  test('by the allocation kernel: what a candidate receives is the new use plus what members lose', () => {
    const key: AllocationKey = { method: 'static', shares: { home: 1_000_000 } }
    const found = rankCandidatesByKernel(
      { steps, producers, consumers, keys: [{ from: 0, to: steps, key }] },
      candidates,
    )
    expect(found.map(({ id }) => id)).toEqual(['office', 'night'])
    for (const { more, candidate, dilution } of found) expect(candidate).toBe(more + dilution)
    const [office] = rankCandidatesByKernel(
      { steps, producers, consumers, keys: [{ from: 0, to: steps, key: { method: 'default' } }] },
      candidates,
    )
    // With fixed shares the gain cannot exceed that of the key that shares all it can.
    expect(found[0]?.more).toBeLessThan(office?.more ?? 0)
    expect(found[0]?.more).toBeGreaterThan(0)
  })

  test('coefficients by step are scaled down for the newcomer', () => {
    const key: AllocationKey = { method: 'simple', coefficients: { home: new Int32Array(steps).fill(1_000_000) } }
    const [first] = rankCandidatesByKernel(
      { steps, producers, consumers, keys: [{ from: 0, to: steps, key }] },
      candidates,
    )
    expect(first?.id).toBe('office')
    expect(first?.candidate).toBeGreaterThan(0)
  })
})
