import { expect, test } from 'vitest'
import { describeMonthsToBill, formatMonthRange } from './billing-figures.tsx'

test('months are named as one reads them', () => {
  expect(formatMonthRange({ from: '2026-09-01', to: '2026-10-01' })).toBe('septembre 2026')
  expect(formatMonthRange({ from: '2026-01-01', to: '2027-01-01' })).toBe('2026')
  expect(formatMonthRange({ from: '2026-01-01', to: '2027-01-01' }, -1)).toBe('2025')
  expect(formatMonthRange({ from: '2026-03-01', to: '2026-06-01' })).toBe('mars à mai 2026')
  expect(formatMonthRange({ from: '2025-12-01', to: '2026-03-01' })).toBe('décembre 2025 à février 2026')
})

const month = (state: 'ready' | 'closed') => ({
  operation: { id: '', name: '' },
  month: '2026-09',
  state,
  documents: 3,
  wh: 1,
  net: 1,
  gross: 1,
})

test('what is to be invoiced says what it is made of, and what it leaves out', () => {
  expect(describeMonthsToBill({ months: [], more: 0 })).toBe('Tout ce qui peut l’être est facturé')
  expect(describeMonthsToBill({ months: [month('ready'), month('closed'), month('ready')], more: 0 })).toBe(
    '1\u00a0mois clos à émettre, 2\u00a0mois à clôturer',
  )
  expect(describeMonthsToBill({ months: [month('ready')], more: 2 })).toBe(
    '1\u00a0mois à clôturer\u00a0; 2\u00a0autres mois ne sont pas comptés',
  )
})
