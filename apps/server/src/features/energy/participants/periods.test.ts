import { expect, test } from 'vitest'
import { ibanFault } from '../../../core/iban.ts'
import { kindOf, namesOf } from './identity.ts'
import { cover, difference, overlaps } from './periods.ts'

const span = (startsOn: string, endsOn: string | null = null) => ({ startsOn, endsOn })

test('periods that touch do not overlap', () => {
  expect(overlaps(span('2026-01-01', '2026-02-01'), span('2026-02-01'))).toBe(false)
  expect(overlaps(span('2026-03-17', '2026-07-29'), span('2025-11-05', '2026-03-17'))).toBe(false)
  expect(overlaps(span('2026-03-16', '2026-07-29'), span('2025-11-05', '2026-03-17'))).toBe(true)
  expect(overlaps(span('2026-01-01', '2026-02-02'), span('2026-02-01'))).toBe(true)
  expect(overlaps(span('2026-03-01'), span('2026-01-01'))).toBe(true)
})

test('what two states of a participation disagree on', () => {
  expect(difference(null, span('2026-01-01'))).toEqual({ from: '2026-01-01', to: null })
  expect(difference(span('2026-01-01'), span('2026-01-01'))).toBeNull()
  expect(difference(span('2026-01-01'), span('2026-01-01', '2026-06-01'))).toEqual({ from: '2026-06-01', to: null })
  expect(difference(span('2026-01-01'), span('2026-03-01'))).toEqual({ from: '2026-01-01', to: '2026-03-01' })
  expect(cover([])).toBeNull()
  expect(
    cover([
      { from: '2026-02-01', to: '2026-03-01' },
      { from: '2026-01-01', to: null },
    ]),
  ).toEqual({ from: '2026-01-01', to: null })
})

test('a number or a name of its own is an organisation; a person is called by both names', () => {
  expect(kindOf({ name: 'Mairie' })).toBe('organisation')
  expect(kindOf({ lastName: 'Mairie', siren: '210300217' })).toBe('organisation')
  expect(kindOf({ name: 'Durand', firstName: 'Camille' })).toBe('person')
  expect(namesOf({ firstName: 'Camille', lastName: 'Durand' })).toMatchObject({
    kind: 'person',
    name: 'Camille Durand',
  })
  expect(namesOf({ lastName: 'Mairie', siren: '210300217' })).toMatchObject({ name: 'Mairie', lastName: '' })
})

test('account numbers of several countries', () => {
  for (const iban of [
    'FR7630006000011234567890189',
    'DE89370400440532013000',
    'BE68539007547034',
    'MC5811222000010123456789030',
  ])
    expect(ibanFault(iban)).toBeNull()
  expect(ibanFault('DE89370400440532013001')).toContain('clé de contrôle')
  expect(ibanFault('189')).toContain('deux lettres')
})
