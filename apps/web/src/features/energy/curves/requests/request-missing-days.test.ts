import { expect, test } from 'vitest'
import { estimateRequestCost, planRequests } from './request-missing-days.tsx'

const on = (pointId: string, ...days: string[]) => days.map((day) => ({ pointId, day }))

test('days that follow each other are one request for the points that miss them', () => {
  const wanted = [...on('b', '2026-11-03', '2026-11-09'), ...on('a', '2026-11-02', '2026-11-03', '2026-11-04')]
  expect(planRequests(wanted)).toEqual([
    { from: '2026-11-02', to: '2026-11-05', pointIds: ['a', 'b'] },
    { from: '2026-11-09', to: '2026-11-10', pointIds: ['b'] },
  ])
  expect(planRequests([])).toEqual([])
})

test('a run goes on across the end of a month and the change of the clock', () => {
  expect(planRequests(on('a', '2026-10-31', '2026-11-01', '2026-10-25', '2026-10-24'))).toEqual([
    { from: '2026-10-24', to: '2026-10-26', pointIds: ['a'] },
    { from: '2026-10-31', to: '2026-11-02', pointIds: ['a'] },
  ])
})

test('calls are counted per point and week', () => {
  const month = Array.from({ length: 28 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`)
  const cost = estimateRequestCost(planRequests([...on('a', ...month), ...on('b', '2026-11-01')]))
  // The 1st is a Sunday: it is a week of its own, then four, the last of them short.
  expect(cost).toEqual({ points: 2, calls: 10, seconds: 2 })
  expect(estimateRequestCost([])).toEqual({ calls: 0, points: 0, seconds: 0 })
})
