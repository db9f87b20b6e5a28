import { expect, test } from 'vitest'
import {
  type AgreementSeriesData,
  buildAgreementCurve,
  countMissingValues,
  getQuantityMonth,
  groupPointsBySide,
  isTooLong,
  listSeriesTypes,
  parseChosenTypes,
} from './agreement-series.ts'

const one = (
  type: AgreementSeriesData['type'],
  startsAt: string,
  step: number,
  watts: AgreementSeriesData['watts'],
): AgreementSeriesData => ({
  prm: null,
  type,
  startsAt,
  step,
  watts,
  energyWh: 0,
})
const MIDNIGHT = '2026-10-31T23:00:00Z'

test('series of several steps and starts are drawn on the finest scale', () => {
  const drawn = buildAgreementCurve([
    one('cons', MIDNIGHT, 15, [100, 200, 300, 400]),
    one('autocons', '2026-10-31T23:30:00Z', 30, [50]),
  ])
  expect(drawn?.step).toBe(15)
  expect(drawn?.series.map(({ role, values }) => [role, values])).toEqual([
    ['consumption', [100, 200, 300, 400]],
    ['local', [null, null, 50, 50]],
  ])
})

test('points of one type are put together: a hole of one is a hole of the whole, an absence is not', () => {
  const drawn = buildAgreementCurve([
    one('cons', MIDNIGHT, 15, [1, null, 3, 4]),
    one('cons', '2026-10-31T23:30:00Z', 15, [10, 10]),
  ])
  expect(drawn?.series[0]?.values).toEqual([1, null, 13, 14])
})

test('nothing received is nothing drawn', () => {
  expect(buildAgreementCurve([one('cons', MIDNIGHT, 15, [])])).toBeNull()
  expect(countMissingValues(one('cons', MIDNIGHT, 15, [1, null, null]))).toBe(2)
})

test('the address may name some series; what it names wrongly counts for nothing', () => {
  const point = { id: 'prod-1', prm: '1', role: 'prod' as const, spans: [], pointId: null, label: '' }
  expect(listSeriesTypes(point)).toEqual(['prod', 'autocons', 'surplus'])
  expect(listSeriesTypes(undefined)).toHaveLength(5)
  expect(parseChosenTypes(listSeriesTypes(point), 'surplus,cons')).toEqual(['surplus'])
  expect(parseChosenTypes(listSeriesTypes(point), 'cons')).toEqual(listSeriesTypes(point))
})

test('a point that left and came back is one point, and its two sides are two', () => {
  const line = {
    prm: '1',
    role: 'cons' as const,
    startsOn: '2025-01-01',
    endsOn: '2025-06-01',
    pointId: null,
    label: '',
  }
  const back = { ...line, startsOn: '2025-09-01', endsOn: null }
  const points = groupPointsBySide([line, back, { ...back, role: 'prod' as const }])
  expect(points.map(({ id, spans }) => [id, spans.length])).toEqual([
    ['cons-1', 2],
    ['prod-1', 1],
  ])
})

test('at most 31 days at once; quantities are those of the month in which the period begins', () => {
  expect(isTooLong('2026-10-01', '2026-11-01')).toBe(false)
  expect(isTooLong('2026-10-01', '2026-11-02')).toBe(true)
  expect(getQuantityMonth('2026-10-19', '2026-11-15')).toEqual({ from: '2026-10-01', to: '2026-11-01', isOver: true })
  expect(getQuantityMonth('2026-11-02', '2026-11-15').isOver).toBe(false)
})
