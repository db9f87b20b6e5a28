import { expect, test } from 'vitest'
import { formatEnergy } from '../../lib/format.ts'
import { describeCell, describeHeatMap, getShade, type HeatData, moveCell } from './heat-map-model.ts'

const data: HeatData = {
  days: ['2026-06-09', '2026-06-10'],
  hours: [
    Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 5000 : 100)),
    Array.from({ length: 24 }, (_, hour) => (hour < 6 ? null : 200)),
  ],
}

test('the scale goes from light to dark and stops at its ends', () => {
  expect(getShade('amber', 0)).toBe('rgb(254 246 228)')
  expect(getShade('amber', 0.5)).toBe('rgb(245 158 11)')
  expect(getShade('blue', 7)).toBe('rgb(30 58 138)')
})

test('a cell is a sentence, a hole is said', () => {
  expect(describeCell(data, { day: 0, hour: 12 }, formatEnergy)).toBe(
    'mardi 9\u00a0juin 2026, de 12\u00a0h à 13\u00a0h\u00a0: 5,0\u00a0kWh',
  )
  expect(describeCell(data, { day: 1, hour: 0 }, formatEnergy)).toContain('donnée manquante')
})

test('keys stay inside the map', () => {
  expect(moveCell({ day: 0, hour: 0 }, 'ArrowUp', 2)).toEqual({ day: 0, hour: 0 })
  expect(moveCell({ day: 0, hour: 0 }, 'PageDown', 2)).toEqual({ day: 1, hour: 0 })
  expect(moveCell({ day: 0, hour: 0 }, 'a', 2)).toBeNull()
})

test('the summary names the strongest hour and day and counts the holes', () => {
  expect(describeHeatMap(data, formatEnergy)).toBe(
    'En moyenne, l’heure la plus forte va de 12\u00a0h à 13\u00a0h (2,6\u00a0kWh). ' +
      'Jour le plus fort\u00a0: mardi 9\u00a0juin 2026 (7,3\u00a0kWh). 6\u00a0h sans donnée (12,5\u00a0%), hachurées.',
  )
  expect(describeHeatMap({ days: ['2026-06-09'], hours: [Array(24).fill(null)] }, formatEnergy)).toMatch(
    /^Aucune donnée/,
  )
})
