import { expect, test } from 'vitest'
import { faultOf, NOTHING, toInput } from './fields.ts'

test('numbers are read as people type them, and what is missing counts as zero', () => {
  expect(toInput({ ...NOTHING, puissanceInstallee: '1\u202f234,5', consommationAnnuelle: '90 000' })).toMatchObject({
    puissanceInstallee: 1234.5,
    consommationAnnuelle: 90_000,
    nbLogements: 0,
  })
})

test('what is not a number is told in a sentence', () => {
  expect(faultOf('nbLogements', '')).toBeUndefined()
  expect(faultOf('nbLogements', '12')).toBeUndefined()
  expect(faultOf('puissanceInstallee', 'cent')).toMatch(/^Nombre attendu/)
  expect(faultOf('puissanceInstallee', '-3')).toMatch(/positif/)
  expect(faultOf('puissanceInstallee', '2000000')).toMatch(/trop grand/)
})
