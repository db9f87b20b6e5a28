import { expect, test } from 'vitest'
import { buildPeriodPresets, countCalls, estimateSeconds, formatRequestDuration } from './request-plan.ts'

const TODAY = '2026-11-15'
const always = { startsOn: '2020-01-01', endsOn: null }
const calls = (kind: Parameters<typeof countCalls>[0], from: string, to: string, stay = always) =>
  countCalls(kind, [stay], { from, to }, TODAY)

test('curves are asked for by weeks that begin on a Monday', () => {
  expect(calls('load-curve', '2026-11-09', '2026-11-16')).toBe(1)
  expect(calls('load-curve', '2026-11-08', '2026-11-15')).toBe(2)
  expect(calls('load-curve', '2026-11-15', '2026-11-15')).toBe(0)
})

test('days before a point came or after it left cost nothing', () => {
  expect(calls('load-curve', '2026-10-05', '2026-11-02', { startsOn: '2026-10-20', endsOn: null })).toBe(2)
  expect(
    countCalls(
      'load-curve',
      [{ startsOn: '2020-01-01', endsOn: '2026-10-01' }],
      { from: '2026-10-05', to: '2026-11-02' },
      TODAY,
    ),
  ).toBe(0)
})

test('definitive quantities exist for whole months that are over', () => {
  expect(calls('definitive', '2026-09-10', '2026-11-15')).toBe(2)
  expect(calls('definitive', '2026-11-01', '2026-11-15')).toBe(0)
})

test('a perimeter asks for the agreement, then for each point', () =>
  expect(countCalls('perimeter', [always, always], { from: '2026-11-08', to: TODAY }, TODAY)).toBe(3))

test('five calls a second, and no more than ten thousand an hour', () => {
  expect(estimateSeconds(52)).toBe(11)
  expect(estimateSeconds(10_000)).toBe(2000)
  expect(estimateSeconds(10_005)).toBe(3601)
  expect(formatRequestDuration(11)).toBe('11\u00a0secondes')
  expect(formatRequestDuration(3601)).toBe('1\u00a0heure 1\u00a0minute')
})

test('no preset reaches beyond what the distributor keeps', () => {
  const [, , , twoYears] = buildPeriodPresets('load-curve', TODAY)
  expect(twoYears).toMatchObject({ from: '2024-11-15', last: '2026-11-14' })
  expect(buildPeriodPresets('definitive', '2026-11-30')[2]?.from).toBe('2024-12-01')
  expect(buildPeriodPresets('definitive', TODAY)[2]?.from).toBe('2024-11-01')
})
