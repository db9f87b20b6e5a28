import { expect, test } from 'vitest'
import { buildTabSearch, carryPeriod } from './period-context.ts'
import { buildDaySearch, buildMonthSearch } from './period-search.ts'

const SEPTEMBER = '?unit=month&from=2026-09-01&to=2026-10-01'

test.each([
  ['/acc-operations/7', SEPTEMBER, `/acc-operations/7${SEPTEMBER}`],
  [
    '/acc-operations/7?onglet=energie',
    `${SEPTEMBER}&q=a`,
    '/acc-operations/7?onglet=energie&unit=month&from=2026-09-01&to=2026-10-01',
  ],
  ['?onglet=energie', SEPTEMBER, '?onglet=energie&unit=month&from=2026-09-01&to=2026-10-01'],
  ['/x#y', SEPTEMBER, `/x${SEPTEMBER}#y`],
  ['/x?unit=day&from=2026-03-29&to=2026-03-30', SEPTEMBER, '/x?unit=day&from=2026-03-29&to=2026-03-30'],
  ['/x', '?from=2026-09-01', '/x'],
  ['/x', '', '/x'],
])('%s from %s', (to, search, expected) => {
  expect(carryPeriod(to, search)).toBe(expected)
})

test('another tab keeps the days and leaves the rest', () => {
  expect(buildTabSearch('journal', `${SEPTEMBER}&q=facture&page=3`)).toBe(
    'onglet=journal&unit=month&from=2026-09-01&to=2026-10-01',
  )
  expect(buildTabSearch('journal', '?q=facture')).toBe('onglet=journal')
})

test('a month ends where the next begins', () => {
  expect(buildMonthSearch('2026-09-01')).toBe(SEPTEMBER.slice(1))
  expect(buildDaySearch('2026-10-25')).toBe('unit=day&from=2026-10-25&to=2026-10-26')
  expect(buildMonthSearch('2026-12-31')).toBe('unit=month&from=2026-12-01&to=2027-01-01')
})
