import { expect, test } from 'vitest'
import {
  computeDistanceMetres,
  findFarthestPoints,
  findPerimeterProblems,
  getPerimeterVerdict,
  type OperationZone,
  type PerimeterKind,
  type PerimeterPlace,
} from './perimeter.ts'

const at = (id: string, latitude: number, longitude: number): PerimeterPlace => ({ id, latitude, longitude })

test('great-circle distance', () => {
  const notreDame = at('a', 48.853, 2.3498)
  expect(computeDistanceMetres(notreDame, { ...notreDame })).toBe(0)
  // One degree of latitude on the mean sphere; of longitude, less by the cosine of the latitude.
  expect(computeDistanceMetres(at('a', 45, 5), at('b', 46, 5))).toBeCloseTo(111_195.08, 1)
  expect(computeDistanceMetres(at('a', 60, 5), at('b', 60, 5.01))).toBeCloseTo(555.98, 1)
})

test('finds the largest distance between a thousand points', () => {
  const points = Array.from({ length: 1000 }, (_, i) => at(`c${i}`, 48 + (i % 37) / 1e4, 2 + (i % 41) / 1e4))
  const far = at('far', 48.02, 2.02)
  const { metres, pair } = findFarthestPoints([...points, far])
  expect(pair?.map(({ id }) => id)).toContain('far')
  expect(metres).toBe(Math.max(...points.map((point) => computeDistanceMetres(point, far))))
  expect(findFarthestPoints([])).toEqual({ metres: 0, pair: null })
})

const NEAR = [at('a', 45, 5), at('b', 45.0009, 5)]
const FAR = [at('a', 45, 5), at('b', 45.03, 5)]
const check = (perimeter: PerimeterKind, points: PerimeterPlace[], watts: number, zone: OperationZone = 'metropole') =>
  findPerimeterProblems({ perimeter, zone, points, watts }).map(({ code, severity }) => `${code} ${severity}`)

test('distance and power beyond the rule are refused with its text, derogations are a warning', () => {
  expect(check('extended', FAR, 1)).toEqual(['distance refused'])
  expect(check('periurban', FAR, 5_000_000)).toEqual(['power refused', 'derogation warning'])
  expect(check('periurban', FAR, 4_999_999)).toEqual(['derogation warning'])
  expect(check('epci', FAR, 9_999_999)).toEqual(['derogation warning'])
  expect(check('epci', FAR, 10_000_000)).toEqual(['power refused', 'derogation warning'])
  expect(check('epci', FAR, 500_000, 'zni')).toEqual(['power refused', 'derogation warning'])
  expect(check('extended', NEAR, 499_999, 'zni')).toEqual([])
  const [problem] = findPerimeterProblems({ perimeter: 'extended', zone: 'metropole', points: FAR, watts: 1 })
  expect(problem?.message).toBe('Les deux points les plus éloignés sont à 3,34\u00A0km, au-delà de 2\u00A0km.')
  expect(problem?.rule).toBe('arrêté du 21 novembre 2019 modifié')
})

test('two kilometres are allowed, a few metres more are not', () => {
  const apart = (latitude: number) => [at('a', 45, 5), at('b', 45 + latitude, 5)]
  expect(check('extended', apart(0.01798), 1)).toEqual([])
  expect(check('extended', apart(0.018), 1)).toEqual(['distance refused'])
})

test('points of one building may be two hundred metres apart', () => {
  expect(check('building', NEAR, 1)).toEqual([])
  const [warning] = findPerimeterProblems({
    perimeter: 'building',
    zone: 'metropole',
    points: [at('a', 45, 5), at('b', 45.001804, 5)],
    watts: 1,
  })
  expect(warning).toMatchObject({ code: 'building', severity: 'warning', pair: ['a', 'b'] })
  expect(warning?.message).toContain('sont à 201\u00A0m l’un')
})

test('a point without coordinates is reported, and the others are still measured', () => {
  const lost = [...FAR, at('x', Number.NaN, 5)]
  expect(check('extended', lost, 1)).toEqual(['distance refused', 'location warning'])
})

test('a place known by its commune alone leaves the verdict open', () => {
  const at = (id: string, latitude: number, precision: PerimeterPlace['precision']): PerimeterPlace => ({
    id,
    latitude,
    longitude: 4.8512,
    ...(precision && { precision }),
  })
  const check = (points: PerimeterPlace[]) =>
    findPerimeterProblems({ perimeter: 'extended', zone: 'metropole', points, watts: 1 })
  const near = [at('a', 45.7601, 'address'), at('b', 45.7633, 'pin')]
  expect(getPerimeterVerdict(check(near))).toBe('fine')
  const vague = check([...near, at('c', 48.85, 'commune')])
  expect(vague.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['precision warning'])
  expect(vague[0]?.message).toBe('1 point n’est situé que par sa commune\u00a0: la distance reste à vérifier.')
  expect(getPerimeterVerdict(vague)).toBe('unsure')
  expect(getPerimeterVerdict(check([...near, at('d', Number.NaN, undefined)]))).toBe('unsure')
  // Some communes have no coordinates in any table: the commune is known all the same, and leaves the verdict open too.
  const nowhere = check([...near, at('g', Number.NaN, 'commune')])
  expect(nowhere.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['precision warning'])
  expect(getPerimeterVerdict(nowhere)).toBe('unsure')
  const far = check([...near, at('e', 45.8, 'address'), at('c', 45.76, 'commune'), at('f', 45.76, 'commune')])
  expect(getPerimeterVerdict(far)).toBe('refused')
  expect(far.at(-1)?.message).toMatch(/^2 points ne sont situés que par leur commune/)
})
