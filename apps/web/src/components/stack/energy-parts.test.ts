import { expect, test } from 'vitest'
import { buildBatteryParts, buildConsumptionParts, buildProductionParts } from './energy-parts.ts'

const made = { shared: 613, surplus: 211, pendingProduced: 97 }
const drawn = { allocated: 571, complement: 307, pendingConsumed: 0 }
const storage = { stored: 149, restored: 107, whole: true }
const toLabelValues = (parts: { label: string; value: number }[]) => parts.map(({ label, value }) => [label, value])
const whole = (parts: { value: number }[]) => parts.reduce((sum, { value }) => sum + value, 0)

test('what passes through a battery is a part of what it comes from and of what it becomes', () => {
  expect(toLabelValues(buildProductionParts({ ...made, storage }))).toEqual([
    ['Partagé en direct', 464],
    ['Stocké', 149],
    ['Surplus', 211],
    ['Pas encore réparti', 97],
  ])
  expect(toLabelValues(buildConsumptionParts({ ...drawn, storage }))).toEqual([
    ['Locale en direct', 464],
    ['Depuis la batterie', 107],
    ['Réseau', 307],
  ])
})

test('the parts make the whole, with a battery, without, and where its flows end elsewhere', () => {
  for (const more of [{}, { storage }, { storage: { ...storage, whole: false } }]) {
    expect(whole(buildProductionParts({ ...made, ...more }))).toBe(921)
    expect(whole(buildConsumptionParts({ ...drawn, ...more }))).toBe(878)
  }
  expect(toLabelValues(buildProductionParts({ ...made, storage: { ...storage, whole: false } }))[0]).toEqual([
    'Partagé',
    613,
  ])
})

test('a meter of a battery says what it counted in its own words', () => {
  const figures = { local: 149, rest: 11, pending: 7 }
  expect(toLabelValues(buildBatteryParts('consumption', figures)).map(([label]) => label)).toEqual([
    'Stocké',
    'Réseau',
    'Pas encore réparti',
  ])
  expect(toLabelValues(buildBatteryParts('production', figures))[1]).toEqual(['Sans preneur', 11])
})
