import { expect, test } from 'vitest'
import { EMPTY_VALUES, getNumberError, toSimulatorInputs } from './simulator-fields.ts'

test('numbers are read as people type them, and what is missing counts as zero', () => {
  expect(
    toSimulatorInputs({ ...EMPTY_VALUES, puissanceInstallee: '1\u202f234,5', consommationAnnuelle: '90 000' }),
  ).toMatchObject({
    puissanceInstallee: 1234.5,
    consommationAnnuelle: 90_000,
    nbLogements: 0,
  })
})

test('what is not a number is told in a sentence', () => {
  expect(getNumberError('nbLogements', '')).toBeUndefined()
  expect(getNumberError('nbLogements', '12')).toBeUndefined()
  expect(getNumberError('puissanceInstallee', 'cent')).toMatch(/^Nombre attendu/)
  expect(getNumberError('puissanceInstallee', '-3')).toMatch(/positif/)
  expect(getNumberError('puissanceInstallee', '2000000')).toMatch(/trop grand/)
})
