import type { Point } from '@voisol/contract/points'
import { expect, test } from 'vitest'
import { buildMyPoints, getRangeSinceEntry, selectOwnSide } from './my-points.ts'

const point = (id: string, direction: Point['direction']): Point => ({
  id,
  direction,
  storage: false,
  prm: '19125759640100',
  label: '',
  segment: 'C5',
  subscribedVa: null,
  peakWatts: null,
  azimuth: null,
  tilt: null,
  commissionedOn: null,
  pointAddress: '',
  latitude: null,
  longitude: null,
  precision: 'address',
  participantId: null,
  participantName: '',
  operationId: null,
  operationName: '',
  startsOn: null,
  endsOn: null,
  receivedUntil: null,
  version: 1,
})
const [a, b, roof] = [point('a', 'consumption'), point('b', 'consumption'), point('roof', 'production')]

test('one side alone needs no narrowing', () => {
  expect(selectOwnSide([a], 'consumption')).toMatchObject({ where: {}, valued: true })
  expect(selectOwnSide([a, b], 'consumption')).toMatchObject({ where: {}, valued: true })
  expect(selectOwnSide([a, b], 'consumption', 'b').where).toEqual({ pointId: 'b' })
})

test('with both sides the amounts of one are told only where a point says it', () => {
  expect(selectOwnSide([a, roof], 'production')).toMatchObject({ where: { pointId: 'roof' }, valued: true })
  expect(selectOwnSide([a, b, roof], 'consumption')).toMatchObject({ where: {}, valued: false })
  expect(selectOwnSide([a, b, roof], 'consumption', 'a')).toMatchObject({ where: { pointId: 'a' }, valued: true })
})

test('a point of somebody else, or of the other side, is no choice', () => {
  expect(selectOwnSide([a, b, roof], 'consumption', 'roof').where).toEqual({})
  expect(selectOwnSide([a, b], 'consumption', 'stranger').where).toEqual({})
})

test('since one came in, ten years at most', () => {
  expect(getRangeSinceEntry('2025-05-01', '2026-11-14')).toEqual({ from: '2025-05-01', to: '2026-11-15' })
  expect(getRangeSinceEntry('2001-01-01', '2026-11-14').from).toBe('2016-11-17')
})

test('a battery is neither one’s consumption nor one’s production, unless there is nothing else', () => {
  const charge = { ...point('charge', 'consumption'), storage: true }
  const release = { ...point('release', 'production'), storage: true }
  expect(selectOwnSide([a, charge, release], 'consumption')).toMatchObject({ points: [a], where: {}, valued: true })
  expect(selectOwnSide([a, charge, release], 'production').points).toEqual([])
  expect(selectOwnSide([charge, release], 'production')).toMatchObject({
    points: [release],
    where: { pointId: 'release' },
  })
  expect(selectOwnSide([charge, release], 'production').battery).toBe(true)
  expect(selectOwnSide([a, charge, release], 'consumption').battery).toBe(false)
  expect(buildMyPoints([a, charge, release])).toMatchObject({ battery: false, consumes: true, produces: false })
  expect(buildMyPoints([charge, release])).toMatchObject({ battery: true, consumes: true, produces: true })
  expect(buildMyPoints([]).battery).toBe(false)
})
