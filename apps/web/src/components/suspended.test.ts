import { expect, test } from 'vitest'
import { countGapDays, countMissingSteps, formatGaps, getMeterName } from './suspended.tsx'

const gap = (from: string, to: string, steps = 96) => ({ from, to, steps })

test('days that follow one another are said once, however many steps each lacks', () => {
  const gaps = [gap('2025-05-06', '2025-05-09', 7), gap('2025-05-09', '2025-05-17'), gap('2025-05-20', '2025-05-21')]
  expect(formatGaps(gaps)).toBe('du 6 au 16\u00a0mai 2025, le 20\u00a0mai 2025')
  expect([countGapDays(gaps), countMissingSteps(gaps)]).toEqual([12, 3 * 7 + 9 * 96])
})

test('the first few by name, the others by their number', () => {
  const gaps = ['02', '04', '06', '08', '10'].map((day) =>
    gap(`2025-05-${day}`, `2025-05-${String(Number(day) + 1).padStart(2, '0')}`),
  )
  expect(formatGaps(gaps)).toMatch(/le 6\smai 2025 et 2\sautres périodes$/)
})

test('a meter is known by its dwelling and its holder, each once', () => {
  expect(getMeterName({ label: 'Appt 12', holder: 'Mme Morel' })).toBe('Appt 12, Mme Morel')
  expect(getMeterName({ label: 'École', holder: 'École' })).toBe('École')
  expect(getMeterName({ label: '', holder: '' })).toBe('Compteur')
})
