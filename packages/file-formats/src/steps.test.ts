import { describe, expect, test } from 'vitest'
import { inferSteps } from './timeline.ts'

const at = (...minutes: number[]) => Int32Array.from(minutes)
const HOURS = [60, 120, 180, 240, 300]
const MIXED = [...HOURS, 330, 360, 390, 420, 450]

describe('the step of each stamp', () => {
  test('is the distance before it at the end of intervals, after it at their start', () => {
    expect([...inferSteps(at(...MIXED), 'end')]).toEqual([60, 60, 60, 60, 60, 30, 30, 30, 30, 30])
    expect([...inferSteps(at(...MIXED), 'start')]).toEqual([60, 60, 60, 60, 30, 30, 30, 30, 30, 30])
  })

  test('beside a hole is that of the rows beyond it', () => {
    expect([...inferSteps(at(...HOURS, 1000, 1030, 1060), 'end')]).toEqual([60, 60, 60, 60, 60, 30, 30, 30])
    expect([...inferSteps(at(...HOURS, 1000, 1030, 1060), 'start')]).toEqual([60, 60, 60, 60, 60, 30, 30, 30])
  })

  test('does not grow for a few rows that lack', () => {
    expect(new Set(inferSteps(at(0, 15, 30, 60, 75, 90, 120, 150, 165, 180), 'end'))).toEqual(new Set([15]))
  })

  test('is unknown where nothing tells', () => {
    expect([...inferSteps(at(0), 'end')]).toEqual([0])
    expect([...inferSteps(at(0, 7), 'start')]).toEqual([0, 0])
  })
})
