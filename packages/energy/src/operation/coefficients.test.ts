import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayStart } from '../calendar/calendar.ts'
import { MISSING } from '../series/series.ts'
import { computeCoefficients, formatCoefficientFile, formatStamp, parseCoefficientFile } from './coefficients.ts'

const prms = ['12345678901234', '98765432109876']
const day = '2026-10-25'
const steps = 100
const coefficients = prms.map((_, i) =>
  Int32Array.from({ length: steps }, (_, at) => (at === 7 ? MISSING : 123_476 + i * at)),
)
const file = { startsAt: dayStart(day), step: 15 as const, prms, coefficients }
const expected = { startsAt: file.startsAt, step: file.step, steps }
const lines = (text: string) => text.split('\r\n')

describe('coefficient files', () => {
  test('what was written is read back, the day of 25 hours included', () => {
    const text = formatCoefficientFile(file, { decimals: 4 })
    expect(lines(text)[0]).toBe(`Horodate;${prms.join(';')}`)
    expect(lines(text)[1]).toBe('2026-10-25T00:00:00+02:00;12,3476;12,3476')
    expect(lines(text)).toHaveLength(steps + 2)
    const back = parseCoefficientFile(text, expected)
    expect(back.problems).toEqual([])
    expect(prms.map((prm) => back.coefficients[prm])).toEqual(coefficients)
    const naive = text.replaceAll(/T(\d\d:\d\d):00\+\d\d:00/g, ' $1')
    expect(parseCoefficientFile(naive, expected)).toEqual(back)
  })
  test('a row may carry the end of its step', () => {
    const text = formatCoefficientFile(file, { decimals: 4, stamp: 'end' })
    expect(lines(text)[1]).toBe('2026-10-25T00:15:00+02:00;12,3476;12,3476')
    expect(lines(text)[steps]).toMatch(/^2026-10-26T00:00:00\+01:00;/)
    const back = parseCoefficientFile(text, { ...expected, stamp: 'end' })
    expect(back.problems).toEqual([])
    expect(prms.map((prm) => back.coefficients[prm])).toEqual(coefficients)
    expect(parseCoefficientFile(text, expected).problems).toHaveLength(1)
  })
  test('decimals are floored, never rounded up', () => {
    const cells = (decimals: number) => lines(formatCoefficientFile(file, { decimals }))[1]?.split(';')[1]
    expect([0, 1, 2, 3, 4].map(cells)).toEqual(['12', '12,3', '12,34', '12,347', '12,3476'])
    expect(() => cells(5)).toThrow(RangeError)
    expect(formatStamp(dayStart('2026-10-25') + 180)).toBe('2026-10-25T02:00:00+01:00')
  })
  test('errors state their line', () => {
    const read = (text: string) => parseCoefficientFile(text, expected).problems.map(({ line }) => line)
    expect(read('Date;x')).toEqual([1])
    expect(read('Horodate;123')).toEqual([1])
    const head = `Horodate;${prms.join(';')}\n`
    const row = (time: string, cells: string) => `2026-10-25T${time}:00+02:00;${cells}\n`
    expect(read(`${head}${row('00:00', '50,0001;49,9999')}${row('00:00', '1;1')}`)).toEqual([3])
    expect(
      read(`${head}${row('00:00', '50;50,0001')}${row('00:15', 'a;1')}${row('00:07', '1;1')}${row('00:30', '1')}`),
    ).toEqual([2, 3, 4, 5])
    const [over] = parseCoefficientFile(`${head}${row('00:00', '60;44,5')}`, expected).problems
    expect(over?.message).toBe('La somme des coefficients est de 104,5\u00A0%, au-delà de 100\u00A0%.')
  })
  test('the period is half-open', () => {
    const read = (time: string) =>
      parseCoefficientFile(`Horodate;${prms.join(';')}\n${time};1;1\n`, expected).problems.map(({ message }) => message)
    expect(read('2026-10-24T23:45:00+02:00')).toEqual(['2026-10-24T23:45:00+02:00 n’est pas un pas de la période.'])
    expect(read('2026-10-25T00:00:00+02:00')).toEqual([])
    expect(read('2026-10-25T23:45:00+01:00')).toEqual([])
    expect(read('2026-10-26T00:00:00+01:00')).toEqual(['2026-10-26T00:00:00+01:00 n’est pas un pas de la période.'])
  })
})

describe('coefficients computed from an allocation', () => {
  const one = (part: number, whole: number, decimals?: number) =>
    computeCoefficients(Int32Array.of(whole), [Int32Array.of(part)], decimals)[0]?.[0]
  test('are floored to a tenth of a percent', () => {
    // 66,666…, 59,259… and 99,999… percent.
    expect(one(2, 3)).toBe(666_000)
    expect(one(16, 27)).toBe(592_000)
    expect(one(999_999, 1_000_000)).toBe(999_000)
    expect(one(2, 3, 4)).toBe(666_666)
    expect(one(2, 3, 0)).toBe(660_000)
    expect(one(7, 7)).toBe(1_000_000)
    // A double is not precise enough here: 2 147 483 646 of 2 147 483 647 is below one.
    expect(one(2_147_483_646, 2_147_483_647, 4)).toBe(999_999)
  })
  test('zero production gives zero, unknown production gives unknown', () => {
    expect([one(0, 0), one(MISSING, 5), one(5, MISSING)]).toEqual([0, MISSING, MISSING])
  })
  test('never sum to more than one, and lose less than a rounding step each', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50_000_000), { minLength: 1, maxLength: 9 }), fc.nat(4), (parts, decimals) => {
        const whole = parts.reduce((sum, part) => sum + part, 0)
        fc.pre(whole > 0)
        const shares = parts.map((part) => one(part, whole, decimals) ?? 0)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1_000_000)
        const grain = 10n ** BigInt(4 - decimals)
        for (const [i, share] of shares.entries()) {
          const exact = BigInt(parts[i] ?? 0) * 1_000_000n
          expect(BigInt(share) % grain).toBe(0n)
          expect(BigInt(share) * BigInt(whole) <= exact).toBe(true)
          expect((BigInt(share) + grain) * BigInt(whole) > exact).toBe(true)
        }
      }),
    )
  })
})
