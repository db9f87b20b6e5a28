import { expect, test } from 'vitest'
import { batteryParts, consumptionParts, productionParts } from './parts.ts'

const made = { shared: 613, surplus: 211, pendingProduced: 97 }
const drawn = { allocated: 571, complement: 307, pendingConsumed: 0 }
const storage = { stored: 149, restored: 107, whole: true }
const told = (parts: { label: string; value: number }[]) => parts.map(({ label, value }) => [label, value])
const whole = (parts: { value: number }[]) => parts.reduce((sum, { value }) => sum + value, 0)

test('what passes through a battery is a part of what it comes from and of what it becomes', () => {
  expect(told(productionParts({ ...made, storage }))).toEqual([
    ['Partagé en direct', 464],
    ['Stocké', 149],
    ['Surplus', 211],
    ['Pas encore réparti', 97],
  ])
  expect(told(consumptionParts({ ...drawn, storage }))).toEqual([
    ['Locale en direct', 464],
    ['Depuis la batterie', 107],
    ['Réseau', 307],
  ])
})

test('the parts make the whole, with a battery, without, and where its flows end elsewhere', () => {
  for (const more of [{}, { storage }, { storage: { ...storage, whole: false } }]) {
    expect(whole(productionParts({ ...made, ...more }))).toBe(921)
    expect(whole(consumptionParts({ ...drawn, ...more }))).toBe(878)
  }
  expect(told(productionParts({ ...made, storage: { ...storage, whole: false } }))[0]).toEqual(['Partagé', 613])
})

test('a meter of a battery says what it counted in its own words', () => {
  const figures = { local: 149, rest: 11, pending: 7 }
  expect(told(batteryParts('consumption', figures)).map(([label]) => label)).toEqual([
    'Stocké',
    'Réseau',
    'Pas encore réparti',
  ])
  expect(told(batteryParts('production', figures))[1]).toEqual(['Sans preneur', 11])
})
