import { expect, test } from 'vitest'
import { buildChartCsv, toFileName } from './chart-export.ts'
import { findGaps, stackValues } from './plot-options.ts'
import { type ChartData, describeInstant, formatTick } from './series.ts'

const data: ChartData = {
  unit: 'kW',
  times: [1_781_000_000, 1_781_000_900],
  series: [
    { label: 'Énergie locale', color: '#F59E0B', kind: 'stacked', values: [3, null] },
    { label: '=Réseau', color: '#64748B', kind: 'stacked', values: [1, 2] },
  ],
}

test('the cursor is a sentence with shares, and a gap is said', () => {
  expect(describeInstant(data, 0)).toBe(
    '09/06/2026 à\u00a012:13. Énergie locale\u00a0: 3,00\u00a0kW (75\u00a0%), =Réseau\u00a0: 1,00\u00a0kW (25\u00a0%)',
  )
  expect(describeInstant(data, 1)).toContain('Énergie locale\u00a0: donnée manquante')
  expect(describeInstant(data, 9)).toBe('Aucune donnée')
})

test('stacks are running sums in which a gap stays a gap', () => {
  expect(stackValues(data.series)).toEqual([
    [3, null],
    [4, 2],
  ])
})

test('the CSV holds the same data, with hostile text neutralised and gaps empty', () => {
  expect(buildChartCsv(data)).toBe(
    "\ufeffDate et heure;Énergie locale (kW);'=Réseau (kW)\r\n09/06/2026 12:13;3;1\r\n09/06/2026 12:28;;2\r\n",
  )
  expect(toFileName('Courbe d’été : 15 min')).toBe('courbe-d-ete-15-min')
})

test('ticks are as coarse as their distance', () => {
  expect(formatTick(1_781_000_000, 3600)).toBe('12:13')
  expect(formatTick(1_781_000_000, 86_400)).toBe('9 juin')
  expect(formatTick(1_781_000_000, 86_400 * 31)).toBe('juin 26')
})

test('a gap reaches from the last known instant to the next, and a forecast does not hide it', () => {
  const times = [0, 10, 20, 30, 40]
  const measured = { label: 'Mesure', color: '#000000', kind: 'line' as const, values: [1, null, null, 4, 5] }
  const forecast = { label: 'Prévision', color: '#000000', kind: 'dashed' as const, values: [1, 2, 3, 4, 5] }
  expect(findGaps({ times, series: [measured, forecast], unit: 'kW' })).toEqual([[0, 30]])
  expect(findGaps({ times, series: [forecast], unit: 'kW' })).toEqual([])
})
