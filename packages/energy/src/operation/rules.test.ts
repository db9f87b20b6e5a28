import { describe, expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import { checkKey } from '../keys/keys.ts'
import { simulate } from '../model/simulator.ts'
import { estimateGaps } from '../series/estimate.ts'
import { MISSING } from '../series/series.ts'
import { horodate, readCoefficients, writeCoefficients } from './coefficients.ts'
import { co2Grams, quality, rates } from './metrics.ts'
import { checkPerimeter, distanceMetres, type Place, spread } from './perimeter.ts'

describe('keys', () => {
  const codes = (...args: Parameters<typeof checkKey>) => checkKey(...args).map(({ code }) => code)
  test('a good key has no problem', () => {
    expect(codes({ method: 'static', shares: { a: 600_000, b: 400_000 } }, ['a', 'b'], ['p'])).toEqual([])
    expect(codes({ method: 'priority', ranks: { a: 1 } }, ['a', 'b'], ['p'])).toEqual([])
    expect(codes({ method: 'complete', coefficients: { p: { a: 1_000_000 } } }, ['a', 'b'], ['p'])).toEqual([])
  })
  test('the sum is told in French', () => {
    const [over] = checkKey({ method: 'static', shares: { a: 600_000, b: 445_000 } }, ['a', 'b'], ['p'])
    expect(over).toEqual({
      code: 'over',
      message: 'La somme des coefficients est de 104,5\u00A0%, au-delà de 100\u00A0%.',
    })
    const curves = { a: Int32Array.of(500_000, 600_000), b: Int32Array.of(500_000, 500_000) }
    expect(checkKey({ method: 'simple', coefficients: curves }, ['a', 'b'], ['p'])).toMatchObject([
      { code: 'over', step: 1 },
    ])
  })
  test('unknown, missing, negative and empty', () => {
    expect(codes({ method: 'static', shares: { a: 1, x: 1 } }, ['a', 'b'], [])).toEqual([
      'unknown-point',
      'missing-point',
    ])
    expect(codes({ method: 'static', shares: { a: -1, b: 1 } }, ['a', 'b'], [])).toEqual(['negative'])
    expect(codes({ method: 'static', shares: { a: 0 } }, ['a'], [])).toEqual(['empty'])
    expect(codes({ method: 'priority', ranks: { a: 0 } }, ['a'], [])).toEqual(['negative'])
    expect(codes({ method: 'complete', coefficients: { p: { a: 1 } } }, ['a'], ['p', 'q'])).toEqual(['missing-point'])
    expect(codes({ method: 'default' }, [], ['p'])).toEqual(['empty'])
  })
})

describe('metrics', () => {
  test('rates', () => {
    expect(rates({ produced: 1000, allocated: 600, consumed: 2000 })).toEqual({
      selfConsumption: 0.6,
      selfProduction: 0.3,
      coverage: 0.5,
      surplus: 400,
      complement: 1400,
    })
    expect(rates({ produced: 0, allocated: 0, consumed: 0 })).toMatchObject({
      selfConsumption: null,
      selfProduction: null,
    })
  })
  test('quality and CO₂', () => {
    expect(quality({ expected: 100, holes: 2, aberrant: 2 })).toEqual({ score: 0.96, level: 'excellent' })
    expect(quality({ expected: 100, holes: 5 }).level).toBe('good')
    expect(quality({ expected: 100, holes: 20 }).level).toBe('acceptable')
    expect(quality({ expected: 100, holes: 21 }).level).toBe('insufficient')
    expect(quality({ expected: 0, holes: 0 })).toEqual({ score: null, level: null })
    expect(co2Grams(1_000_000, 52, 43)).toBe(9000)
  })
})

describe('simulator', () => {
  test('the documented formulas', () => {
    const result = simulate({ puissanceInstallee: 100, consommationAnnuelle: 200_000, nbLogements: 20 })
    expect(result).toMatchObject({ productionAnnuelle: 110_000, investissementBrut: 120_000, aide: 36_000, roi: 8.5 })
    expect(result.tauxAutoconsommation).toBeCloseTo(60.01, 10)
    expect(result.economiesAnnuelles).toBeCloseTo(110_000 * 0.6001 * 0.15, 6)
    expect(result.co2Evite).toBeCloseTo(110_000 * 0.6001 * 0.221, 6)
    expect(result.projection).toHaveLength(20)
    expect(result.projection.at(-1)?.economiesCumulees).toBeCloseTo(result.economiesAnnuelles * 20, 6)
  })
  test('the rate stops at 95 % and the subsidy at 50 000 €', () => {
    expect(simulate({ puissanceInstallee: 1000, consommationAnnuelle: 100 })).toMatchObject({
      tauxAutoconsommation: 95,
      aide: 50_000,
      investissementNet: 1_150_000,
    })
  })
  test('missing numbers count as nothing and nothing is infinite', () => {
    for (const input of [
      {},
      { puissanceInstallee: Number.NaN },
      { puissanceInstallee: 10 },
      { consommationAnnuelle: 10 },
    ]) {
      const { roi, projection, economiesParLogement, ...numbers } = simulate(input)
      expect(Object.values(numbers).every(Number.isFinite)).toBe(true)
      expect(roi === null || Number.isFinite(roi)).toBe(true)
      expect(projection.every(({ bilan }) => Number.isFinite(bilan))).toBe(true)
      expect(economiesParLogement).toBeNull()
    }
    expect(simulate({}).roi).toBeNull()
  })
})

describe('perimeter', () => {
  const at = (id: string, latitude: number, longitude: number): Place => ({ id, latitude, longitude })
  const notreDame = at('a', 48.853, 2.3498)
  test('great-circle distance', () => {
    expect(distanceMetres(notreDame, at('b', 48.853, 2.3498))).toBe(0)
    // One degree of latitude on the mean sphere.
    expect(distanceMetres(at('a', 45, 5), at('b', 46, 5))).toBeCloseTo(111_195, -1)
  })
  test('the largest of all pairs of a thousand points', () => {
    const points = Array.from({ length: 1000 }, (_, i) => at(`c${i}`, 48 + (i % 37) / 1e4, 2 + (i % 41) / 1e4))
    const far = at('far', 48.02, 2.02)
    const { metres, pair } = spread([...points, far])
    expect(pair?.map(({ id }) => id)).toContain('far')
    expect(metres).toBe(Math.max(...points.map((point) => distanceMetres(point, far))))
    expect(spread([])).toEqual({ metres: 0, pair: null })
  })
  test('distance and power are refused with their rule, derogations are warned of', () => {
    const points = [at('a', 45, 5), at('b', 45.03, 5)]
    const check = (
      perimeter: 'extended' | 'periurban' | 'epci',
      watts: number,
      zone: 'metropole' | 'zni' = 'metropole',
    ) => checkPerimeter({ perimeter, zone, points, watts }).map(({ code, severity }) => `${code} ${severity}`)
    expect(check('extended', 1)).toEqual(['distance refused'])
    expect(check('periurban', 5_000_000)).toEqual(['power refused', 'derogation warning'])
    expect(check('epci', 9_999_999)).toEqual(['derogation warning'])
    expect(check('epci', 500_000, 'zni')).toEqual(['power refused', 'derogation warning'])
    const [problem] = checkPerimeter({ perimeter: 'extended', zone: 'metropole', points, watts: 1 })
    expect(problem?.message).toBe('Les deux points les plus éloignés sont à 3,34\u00A0km, au-delà de 2\u00A0km.')
    expect(problem?.rule).toBe('arrêté du 21 novembre 2019 modifié')
  })
})

describe('estimates', () => {
  test('short gaps follow a line, in whole watts', () => {
    const { values, estimated } = estimateGaps({ startsAt: 0, step: 30, watts: Int32Array.of(100, -1, -1, 200) })
    expect([...values]).toEqual([100, 133, 167, 200])
    expect([...estimated]).toEqual([0, 1, 1, 0])
  })
  test('long gaps follow the same time of the same kind of day; the unknowable stays unknown', () => {
    const start = dayStart('2026-03-02')
    const days = 35
    const watts = Int32Array.from({ length: (dayStart('2026-04-06') - start) / 60 }, (_, hour) => 100 + (hour % 24))
    const thursday = (dayStart('2026-03-26') - start) / 60
    watts.fill(MISSING, thursday, thursday + 24)
    watts.fill(MISSING, 0, 24)
    const { values, estimated } = estimateGaps({ startsAt: start, step: 60, watts })
    expect(days * 24 - 1).toBe(watts.length)
    expect([...values.subarray(thursday, thursday + 24)]).toEqual(Array.from({ length: 24 }, (_, hour) => 100 + hour))
    expect(estimated.subarray(thursday, thursday + 24).every((is) => is === 1)).toBe(true)
    expect([...values.subarray(0, 24)].every((value) => value === MISSING)).toBe(true)
  })
})

describe('coefficient files', () => {
  const prms = ['12345678901234', '98765432109876']
  const day = '2026-10-25'
  const steps = 100
  const coefficients = prms.map((_, i) =>
    Int32Array.from({ length: steps }, (_, at) => (at === 7 ? MISSING : 123_456 + i * at)),
  )
  const file = { startsAt: dayStart(day), step: 15 as const, prms, coefficients }
  const expected = { startsAt: file.startsAt, step: file.step, steps }
  test('what was written is read back, the long day included', () => {
    const text = writeCoefficients(file, { decimals: 4 })
    expect(text.split('\r\n')[0]).toBe(`Horodate;${prms.join(';')}`)
    expect(text.split('\r\n')[1]).toBe('2026-10-25T00:00:00+02:00;12,3456;12,3456')
    const back = readCoefficients(text, expected)
    expect(back.problems).toEqual([])
    expect(prms.map((prm) => back.coefficients[prm])).toEqual(coefficients)
    const naive = text.replaceAll(/T(\d\d:\d\d):00\+\d\d:00/g, ' $1')
    expect(readCoefficients(naive, expected)).toEqual(back)
  })
  test('one decimal is floored', () => {
    expect(writeCoefficients(file).split('\r\n')[1]).toBe('2026-10-25T00:00:00+02:00;12,3;12,3')
    expect(horodate(dayStart('2026-10-25') + 180)).toBe('2026-10-25T02:00:00+01:00')
  })
  test('errors name their line', () => {
    const read = (text: string) => readCoefficients(text, expected).problems.map(({ line }) => line)
    expect(read('Date;x')).toEqual([1])
    expect(read('Horodate;123')).toEqual([1])
    const head = `Horodate;${prms.join(';')}\n`
    const row = (time: string, cells: string) => `2026-10-25T${time}:00+02:00;${cells}\n`
    expect(read(`${head}${row('00:00', '50;50')}${row('00:00', '1;1')}`)).toEqual([3])
    expect(
      read(`${head}${row('00:00', '60;50')}${row('00:15', 'a;1')}${row('00:07', '1;1')}${row('00:30', '1')}`),
    ).toEqual([2, 3, 4, 5])
    const [over] = readCoefficients(`${head}${row('00:00', '60;44,5')}`, expected).problems
    expect(over?.message).toBe('La somme des coefficients est de 104,5\u00A0%, au-delà de 100\u00A0%.')
  })
})
