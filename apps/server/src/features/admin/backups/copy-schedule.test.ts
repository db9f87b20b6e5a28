import { describe, expect, test } from 'vitest'
import {
  computeKeepReasons,
  getNextCopyDate,
  getNextRestoreTestDate,
  isCopyDue,
  isCopyRetryDue,
  isRestoreTestDue,
  listCopiesToDelete,
  simulateRetention,
} from './copy-schedule.ts'

const at = (madeAt: string) => ({ name: madeAt.slice(0, 16), madeAt })
const SCHEDULE = { enabled: true, hour: 2, drillDay: 7, days: 14, weeks: 8, months: 12, version: 1 }

describe('what is kept', () => {
  test('is the last copy of each of the latest days, weeks and months', () => {
    const copies = [
      '2026-03-29T00:17:00Z',
      '2026-03-28T23:17:00Z',
      '2026-03-28T01:17:00Z',
      '2026-03-22T01:17:00Z',
      '2026-03-20T01:17:00Z',
      '2026-02-28T01:17:00Z',
      '2026-01-31T01:17:00Z',
    ]
    const kept = computeKeepReasons(copies.map(at), { days: 2, weeks: 2, months: 2 })
    expect(Object.fromEntries(kept)).toEqual({
      // 23:17 UTC is past midnight in Paris: two of one day, of which the later stays.
      '2026-03-29T00:17': ['day', 'week', 'month'],
      '2026-03-28T23:17': [],
      '2026-03-28T01:17': ['day'],
      '2026-03-22T01:17': ['week'],
      '2026-03-20T01:17': [],
      '2026-02-28T01:17': ['month'],
      '2026-01-31T01:17': [],
    })
  })

  test('is never nothing, and does not go because time went by', () => {
    const old = ['2024-05-03T01:17:00Z', '2024-05-02T01:17:00Z'].map(at)
    expect(listCopiesToDelete(old, { days: 0, weeks: 0, months: 0 })).toEqual(['2024-05-02T01:17'])
    expect(listCopiesToDelete(old, { days: 7, weeks: 0, months: 0 })).toEqual([])
  })

  test('is the newest complete copy, however many incomplete ones were made since', () => {
    const incomplete = { files: { missing: ['1/abc'] } }
    const copies = ['2026-03-29', '2026-03-28', '2026-03-27'].map((day) => ({
      ...at(`${day}T01:17:00Z`),
      ...incomplete,
    }))
    const complete = ['2026-03-26T01:17:00Z', '2026-03-25T01:17:00Z'].map(at)
    const none = { days: 1, weeks: 0, months: 0 }
    expect(listCopiesToDelete([...copies, ...complete], none)).toEqual([
      '2026-03-28T01:17',
      '2026-03-27T01:17',
      '2026-03-25T01:17',
    ])
  })

  test('of daily copies in the long run is as many as days, weeks and months leave apart', () => {
    const steady = simulateRetention({ days: 7, weeks: 4, months: 6 }, '2026-05-19')
    expect(steady[0]).toEqual({ day: '2026-05-19', keptFor: ['day', 'week', 'month'] })
    const of = (reason: string) =>
      steady.filter(({ keptFor }) => keptFor.some((one) => one === reason)).map(({ day }) => day)
    expect(of('day')).toHaveLength(7)
    expect(of('week')).toEqual(['2026-05-19', '2026-05-17', '2026-05-10', '2026-05-03'])
    expect(of('month')).toEqual(['2026-05-19', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'])
  })
})

describe('when', () => {
  const now = new Date('2026-03-29T09:41:00Z') // the night of which had no two o'clock
  test('the next ones come, on the clock of Paris', () => {
    expect(getNextCopyDate(SCHEDULE, now)?.toISOString()).toBe('2026-03-30T00:00:00.000Z')
    expect(getNextRestoreTestDate(SCHEDULE, now)?.toISOString()).toBe('2026-04-05T01:00:00.000Z')
    expect(getNextCopyDate({ ...SCHEDULE, enabled: false }, now)).toBeNull()
  })

  test('a night without a server is made up for, once', () => {
    expect(isCopyDue(SCHEDULE, new Date('2026-03-28T01:17:00Z'), now)).toBe(true)
    expect(isCopyDue(SCHEDULE, new Date('2026-03-29T02:17:00Z'), now)).toBe(false)
    expect(isCopyDue(SCHEDULE, undefined, now)).toBe(true)
    expect(isCopyDue({ ...SCHEDULE, enabled: false }, undefined, now)).toBe(false)
    expect(isRestoreTestDue(SCHEDULE, new Date('2026-03-22T03:00:00Z'), now)).toBe(true)
    expect(isRestoreTestDue(SCHEDULE, new Date('2026-03-29T03:00:00Z'), now)).toBe(false)
  })

  test('a copy that failed is tried again the same night, four times in all, until one was made', () => {
    const run = (startedAt: string, state: string, copy = '') => ({ startedAt: new Date(startedAt), state, copy })
    const lastNight = run('2026-03-28T01:17:00Z', 'failed')
    const failed = ['01:17', '02:17', '03:17', '04:17'].map((time) => run(`2026-03-29T${time}:00Z`, 'failed'))
    const [first] = failed
    if (!first) throw new Error('none')
    const due = (...runs: (typeof first)[]) => isCopyRetryDue(SCHEDULE, [...runs, lastNight], now)
    expect([due(), due(first), due(...failed.slice(1)), due(...failed)]).toEqual([false, true, true, false])
    expect(due(run('2026-03-29T02:17:00Z', 'done', 'voisol-1'), first)).toBe(false)
    expect(due(run('2026-03-29T02:17:00Z', 'running'), first)).toBe(false)
    // Made, but incomplete: another would lack the same files.
    expect(due(run('2026-03-29T02:17:00Z', 'failed', 'voisol-1'), first)).toBe(false)
    expect(isCopyRetryDue({ ...SCHEDULE, enabled: false }, [first], now)).toBe(false)
  })
})
