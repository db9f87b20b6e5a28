import { expect, test } from 'vitest'
import type { CurveVersion } from '../labels.ts'
import { compareVersions, getGreatestCommonStep, toFinerStep } from './day-dialog.tsx'

const version = (more: Partial<CurveVersion>): CurveVersion => ({
  version: 1,
  step: 30,
  watts: [],
  marks: [],
  energyWh: 0,
  present: 0,
  expected: 0,
  source: 'import',
  receivedAt: '2026-03-10T08:00:00Z',
  supersededAt: null,
  importId: null,
  ...more,
})

test('a mean power over half an hour is the same power over each quarter of an hour', () => {
  expect(toFinerStep([100, null], 30, 15)).toEqual([100, 100, null, null])
  expect([getGreatestCommonStep(30, 15), getGreatestCommonStep(10, 15), getGreatestCommonStep(60, 60)]).toEqual([
    15, 5, 60,
  ])
})

test('only what differs is told; what came later was missing before, never zero', () => {
  const before = version({ watts: [100, null, 300], energyWh: 200 })
  const after = version({ watts: [100, 0, 250], energyWh: 175 })
  const { changes, wh, step } = compareVersions(before, after)
  expect(changes).toEqual([
    { at: 1, before: null, after: 0 },
    { at: 2, before: 300, after: 250 },
  ])
  expect([wh, step]).toEqual([-25, 30])
})

test('another step with the same powers is no change', () => {
  const before = version({ step: 30, watts: [100, 200] })
  const after = version({ step: 15, watts: [100, 100, 200, 210] })
  expect(compareVersions(before, after).changes).toEqual([{ at: 3, before: 200, after: 210 }])
})
