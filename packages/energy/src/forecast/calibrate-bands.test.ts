import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawUniform } from '../model/random.ts'
import { applyShifts, type CalibrationTrial, computeShifts } from './band-calibration.ts'

const LEVELS = [0.1, 0.5, 0.9]
const trials = (count: number, said: number[], lead = 0): CalibrationTrial[] =>
  Array.from({ length: count }, (_, at) => ({ y: drawUniform(5, at), levels: said, lead, age: 0 }))

test('a band that was too narrow or off centre is shifted until it holds its stated share', () => {
  for (const said of [
    [0.4, 0.5, 0.6],
    [0.05, 0.1, 0.5],
    [0, 0.6, 0.9],
  ]) {
    const [shifts = []] = computeShifts(trials(4000, said), LEVELS, [0], 45)
    const moved = applyShifts(said, shifts)
    for (const [order, level] of LEVELS.entries()) expect(moved[order]).toBeCloseTo(level, 1)
  }
})

test('each lead has a shift of its own; a lead with few errors takes the shift of all leads', () => {
  const near = trials(500, [0.1, 0.5, 0.9], 0)
  const far = trials(500, [0.3, 0.7, 1.1], 1)
  const rare = trials(5, [0.1, 0.5, 0.9], 2)
  const [own, other, all] = computeShifts([...near, ...far, ...rare], LEVELS, [0, 1, 2], 45)
  expect(Math.abs(own?.[1] ?? 1)).toBeLessThan(0.05)
  expect(other?.[1]).toBeCloseTo(-0.25, 1)
  expect(all?.[1]).toBeLessThan(-0.05)
})

test('recent errors weigh more', () => {
  const old = trials(1000, [0.4, 0.8, 1], 0).map((trial) => ({ ...trial, age: 450 }))
  const [shifts] = computeShifts([...old, ...trials(1000, LEVELS, 0)], LEVELS, [0], 45)
  expect(Math.abs(shifts?.[1] ?? 1)).toBeLessThan(0.05)
})

test('after any shift, levels stay ordered and within the plant; a higher forecast never ends lower', () => {
  const part = fc.double({ min: -0.5, max: 1.5, noNaN: true })
  const move = fc.double({ min: -3, max: 3, noNaN: true })
  fc.assert(
    fc.property(fc.tuple(part, part, part), fc.tuple(move, move, move), part, (levels, shifts, more) => {
      const sorted = levels.sort((a, b) => a - b)
      const said = applyShifts(sorted, shifts)
      const raised = applyShifts(
        sorted.map((level) => level + Math.abs(more)),
        shifts,
      )
      for (const [order, value] of said.entries()) {
        expect(value).toBeGreaterThanOrEqual(Math.max(0, said[order - 1] ?? 0))
        expect(value).toBeLessThanOrEqual(1.05)
        expect(raised[order]).toBeGreaterThanOrEqual(value)
      }
    }),
  )
})
