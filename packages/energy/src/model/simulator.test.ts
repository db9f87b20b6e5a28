import { expect, test } from 'vitest'
import { simulateProject } from './simulator.ts'

test('the results follow the documented formulas', () => {
  const result = simulateProject({ puissanceInstallee: 97.3, consommationAnnuelle: 211_700, nbLogements: 23 })
  const rate = 60 + (97.3 / 211_700) * 20
  const saved = 97.3 * 1100 * (rate / 100) * 0.15
  expect(result.productionAnnuelle).toBeCloseTo(107_030, 6)
  expect(result.tauxAutoconsommation).toBeCloseTo(rate, 10)
  expect(result.economiesAnnuelles).toBeCloseTo(saved, 6)
  expect(result.economiesParLogement).toBeCloseTo(saved / 23, 6)
  expect(result.investissementBrut).toBeCloseTo(116_760, 6)
  expect(result.aide).toBeCloseTo(35_028, 6)
  expect(result.investissementNet).toBeCloseTo(81_732, 6)
  expect(result.co2Evite).toBeCloseTo((saved / 0.15) * 0.221, 6)
  expect(result.projection).toHaveLength(20)
  expect(result.projection[0]).toEqual({
    annee: 1,
    economiesCumulees: result.economiesAnnuelles,
    bilan: result.economiesAnnuelles - result.investissementNet,
  })
  expect(result.projection.at(-1)?.economiesCumulees).toBeCloseTo(saved * 20, 6)
})

test('the years to break even are rounded to the nearest tenth', () => {
  // 8,4844 and 8,4561 years.
  expect(simulateProject({ puissanceInstallee: 100, consommationAnnuelle: 2_000_000 }).roi).toBe(8.5)
  expect(simulateProject({ puissanceInstallee: 100, consommationAnnuelle: 10_000 }).roi).toBe(8.5)
  // 8,4187 years.
  expect(simulateProject({ puissanceInstallee: 100, consommationAnnuelle: 4300 }).roi).toBe(8.4)
})

test('the rate stops at 95 % and the subsidy at 50 000 €', () => {
  expect(simulateProject({ puissanceInstallee: 1000, consommationAnnuelle: 100 })).toMatchObject({
    tauxAutoconsommation: 95,
    aide: 50_000,
    investissementNet: 1_150_000,
  })
})

test('missing numbers count as zero and no result is infinite', () => {
  for (const input of [
    {},
    { puissanceInstallee: Number.NaN },
    { puissanceInstallee: 10 },
    { consommationAnnuelle: 10 },
  ]) {
    const { roi, projection, economiesParLogement, ...numbers } = simulateProject(input)
    expect(Object.values(numbers).every(Number.isFinite)).toBe(true)
    expect(roi === null || Number.isFinite(roi)).toBe(true)
    expect(projection.every(({ bilan }) => Number.isFinite(bilan))).toBe(true)
    expect(economiesParLogement).toBeNull()
  }
  expect(simulateProject({}).roi).toBeNull()
  expect(simulateProject({ puissanceInstallee: 10 }).tauxAutoconsommation).toBe(95)
})
