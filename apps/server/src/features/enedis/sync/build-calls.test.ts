import { expect, test } from 'vitest'
import { buildSyncCalls, groupDaysByWeek, type SyncMember, splitEvery, splitRangeByMonth } from './build-calls.ts'

const about = { acc: 'ACC00000017', today: '2025-06-01' }
const member = (startsOn: string, endsOn: string | null = null): SyncMember => ({
  pointId: startsOn,
  prm: '30001234567890',
  direction: 'consumption',
  startsOn,
  endsOn,
})
const days = (calls: { from: string; to: string }[]) => calls.map(({ from, to }) => `${from} ${to}`)

test('splits by weeks starting on Mondays, and requests no day beyond the range', () => {
  expect(days(splitEvery(7, { from: '2025-03-27', to: '2025-04-09' }))).toEqual([
    '2025-03-27 2025-03-31',
    '2025-03-31 2025-04-07',
    '2025-04-07 2025-04-09',
  ])
  expect(days(splitEvery(7, { from: '2000-12-28', to: '2001-01-03' }))).toEqual([
    '2000-12-28 2001-01-01',
    '2001-01-01 2001-01-03',
  ])
  expect(splitEvery(7, { from: '2025-03-31', to: '2025-03-31' })).toEqual([])
})

test('splits by months at their first day', () => {
  expect(days(splitRangeByMonth({ from: '2024-02-29', to: '2024-04-02' }))).toEqual([
    '2024-02-29 2024-03-01',
    '2024-03-01 2024-04-01',
    '2024-04-01 2024-04-02',
  ])
})

test('requests a point only within its participation period', () => {
  const span = { from: '2025-03-31', to: '2025-04-14' }
  const calls = buildSyncCalls('load-curve', span, [member('2025-04-02', '2025-04-09')], about)
  expect(days(calls)).toEqual(['2025-04-02 2025-04-07', '2025-04-07 2025-04-09'])
  expect(buildSyncCalls('load-curve', span, [member('2025-04-14'), member('2025-01-03', '2025-03-31')], about)).toEqual(
    [],
  )
})

test('requests definitive figures by whole past months, for the members of those months', () => {
  const span = { from: '2025-04-17', to: '2025-07-01' }
  expect(days(buildSyncCalls('definitive', span, [member('2025-04-30')], about))).toEqual([
    '2025-04-01 2025-05-01',
    '2025-05-01 2025-06-01',
  ])
  expect(days(buildSyncCalls('definitive', span, [member('2025-05-01')], about))).toEqual(['2025-05-01 2025-06-01'])
  expect(days(buildSyncCalls('definitive', span, [member('2025-01-03', '2025-05-01')], about))).toEqual([
    '2025-04-01 2025-05-01',
  ])
  expect(buildSyncCalls('definitive', span, [member('2025-05-01')], { ...about, today: '2025-05-31' })).toEqual([])
})

test('joins consecutive days into one call, up to the end of a week', () => {
  expect(days(groupDaysByWeek(['2025-04-08', '2025-04-05', '2025-04-06', '2025-04-07', '2025-04-10']))).toEqual([
    '2025-04-05 2025-04-07',
    '2025-04-07 2025-04-09',
    '2025-04-10 2025-04-11',
  ])
})
