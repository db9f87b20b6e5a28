import type { EnergySummary } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { isMonthComplete } from './notify-solar-month.ts'

const current = { selfProduction: 0.5, selfConsumption: null, pendingConsumed: 0, pendingProduced: 0 }
const steps = { expected: 744, received: 744, allocated: 744, excluded: 0, estimated: 0 }
const arrived = { current, steps, definitive: false, stale: false, suspended: [] }
// Only the fields that the rule reads.
const whole = (more: object) => isMonthComplete({ ...arrived, ...more } as unknown as EnergySummary, 'consumption')

test('a month is complete when every reading arrived and is allocated by current runs', () => {
  expect(whole({})).toBe(true)
  expect(whole({ steps: { ...steps, received: 743 } })).toBe(false)
  expect(whole({ steps: { ...steps, expected: 0, received: 0 } })).toBe(false)
  expect(whole({ current: { ...current, pendingConsumed: 1 } })).toBe(false)
  expect(whole({ current: { ...current, pendingProduced: 1 } })).toBe(true)
  expect(whole({ stale: true })).toBe(false)
  expect(whole({ suspended: [{}] })).toBe(false)
})

test('or when a definitive run closed it, but never without an allocation', () => {
  expect(whole({ steps: { ...steps, received: 700 }, stale: true, definitive: true })).toBe(true)
  expect(whole({ current: { ...current, selfProduction: null }, definitive: true })).toBe(false)
  expect(whole({ current: { ...current, selfProduction: null } })).toBe(false)
})
