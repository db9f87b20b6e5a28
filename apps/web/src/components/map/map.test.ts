import { expect, test } from 'vitest'
import { isOnMap, projectOnFrance } from './france-map.tsx'
import {
  chooseScaleLength,
  computeDistance,
  createProjection,
  findFarthestPair,
  formatDistance,
  offsetPoint,
} from './geo.ts'
import { computePerimeterView, describePerimeter, movePoint } from './perimeter-map.tsx'

const school = { id: '1', label: 'École', role: 'producer' as const, lat: 45.76, lon: 4.84 }
const hall = { id: '2', label: 'Halle', role: 'consumer' as const, lat: 45.77, lon: 4.85 }
const flat = { id: '3', label: 'Résidence', role: 'consumer' as const, lat: 45.79, lon: 4.84 }

test('distances are those of the ground, and the flat map agrees', () => {
  const paris = { lat: 48.8566, lon: 2.3522 }
  expect(computeDistance(paris, { lat: 45.764, lon: 4.8357 }) / 1000).toBeCloseTo(391.5, 0)
  const { x, y } = createProjection(school)(hall)
  expect(Math.hypot(x, y) / computeDistance(school, hall)).toBeCloseTo(1, 3)
})

test('the farthest pair is found, and one point has none', () => {
  expect(findFarthestPair([school, hall, flat])).toMatchObject({ from: { id: '1' }, to: { id: '3' } })
  expect(findFarthestPair([school])).toBeNull()
})

test('the summary says whether the rule is kept', () => {
  expect(describePerimeter([school, hall], 2)).toBe(
    '2\u00a0points. La plus grande distance, entre École et Halle, est de 1,36\u00a0km, soit 68\u00a0% de la limite de 2\u00a0km\u00a0: le périmètre est respecté.',
  )
  expect(describePerimeter([school, flat], 2)).toContain('le périmètre est dépassé')
  expect(describePerimeter([], 2)).toContain('au moins deux points')
})

test('lengths are told in the unit that suits them', () => {
  expect(formatDistance(849.6)).toBe('850\u00a0m')
  expect(formatDistance(1840)).toBe('1,84\u00a0km')
  expect([1700, 640, 120].map(chooseScaleLength)).toEqual([1000, 500, 100])
})

test('the map holds the mainland and Corsica, and nothing overseas', () => {
  expect(isOnMap({ lat: 41.92, lon: 8.74 })).toBe(true)
  expect(isOnMap({ lat: -21.1, lon: 55.5 })).toBe(false)
  expect(projectOnFrance({ lat: 51.3, lon: -5.2 })).toEqual({ x: 0, y: 0 })
})

test('a place known by its commune measures nothing, and the summary concludes nothing', () => {
  const town = { ...flat, precision: 'commune' as const }
  expect(describePerimeter([school, hall, town], 2)).toMatch(
    /68\s% de la limite de 2\skm\. 1\spoint n’est situé que par sa commune\s: le périmètre reste à vérifier\.$/,
  )
  expect(describePerimeter([school, town], 2)).toMatch(/^Il faut au moins deux points.*à vérifier\.$/)
})

test('a pixel leads back to its place, and arrows to ten or a hundred metres', () => {
  const seen = computePerimeterView([school, hall], 2000, 560)
  const { x, y } = seen.at(hall)
  expect(computePerimeterView([school, hall], 20_000, 560, true).scale).toBeGreaterThan(
    computePerimeterView([school, hall], 20_000, 560).scale * 5,
  )
  expect(computeDistance(seen.under(x, y), hall)).toBeLessThan(0.01)
  expect(computeDistance(offsetPoint(school, createProjection(school)(hall)), hall)).toBeLessThan(0.01)
  const north = movePoint(school, 'ArrowUp', false)
  expect(north && [north.lat > school.lat, computeDistance(north, school)]).toEqual([true, expect.closeTo(10, 3)])
  const west = movePoint(school, 'ArrowLeft', true)
  expect(west && [west.lon < school.lon, computeDistance(west, school)]).toEqual([true, expect.closeTo(100, 1)])
  expect(movePoint(school, 'Enter', false)).toBeNull()
})
