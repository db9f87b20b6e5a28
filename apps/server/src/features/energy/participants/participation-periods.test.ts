import { getParticipantKind, normalizeNames } from '@voisol/contract/participant-names'
import { expect, test } from 'vitest'
import { findIbanError } from '../../../core/iban.ts'
import { getChangedRange, isOverlapping, mergeIntoOneRange } from './participation-rules.ts'

const span = (startsOn: string, endsOn: string | null = null) => ({ startsOn, endsOn })

test('treats adjacent periods as not overlapping', () => {
  expect(isOverlapping(span('2026-01-01', '2026-02-01'), span('2026-02-01'))).toBe(false)
  expect(isOverlapping(span('2026-03-17', '2026-07-29'), span('2025-11-05', '2026-03-17'))).toBe(false)
  expect(isOverlapping(span('2026-03-16', '2026-07-29'), span('2025-11-05', '2026-03-17'))).toBe(true)
  expect(isOverlapping(span('2026-01-01', '2026-02-02'), span('2026-02-01'))).toBe(true)
  expect(isOverlapping(span('2026-03-01'), span('2026-01-01'))).toBe(true)
})

test('returns the days that differ between two states of a participation', () => {
  expect(getChangedRange(null, span('2026-01-01'))).toEqual({ from: '2026-01-01', to: null })
  expect(getChangedRange(span('2026-01-01'), span('2026-01-01'))).toBeNull()
  expect(getChangedRange(span('2026-01-01'), span('2026-01-01', '2026-06-01'))).toEqual({
    from: '2026-06-01',
    to: null,
  })
  expect(getChangedRange(span('2026-01-01'), span('2026-03-01'))).toEqual({ from: '2026-01-01', to: '2026-03-01' })
  expect(mergeIntoOneRange([])).toBeNull()
  expect(
    mergeIntoOneRange([
      { from: '2026-02-01', to: '2026-03-01' },
      { from: '2026-01-01', to: null },
    ]),
  ).toEqual({ from: '2026-01-01', to: null })
})

test('takes a SIREN or single name as an organisation, and joins a person’s names', () => {
  expect(getParticipantKind({ name: 'Mairie' })).toBe('organisation')
  expect(getParticipantKind({ lastName: 'Mairie', siren: '210300217' })).toBe('organisation')
  expect(getParticipantKind({ name: 'Durand', firstName: 'Camille' })).toBe('person')
  expect(normalizeNames({ firstName: 'Camille', lastName: 'Durand' })).toMatchObject({
    kind: 'person',
    name: 'Camille Durand',
  })
  expect(normalizeNames({ lastName: 'Mairie', siren: '210300217' })).toMatchObject({ name: 'Mairie', lastName: '' })
})

test('checks IBANs of several countries', () => {
  for (const iban of [
    'FR7630006000011234567890189',
    'DE89370400440532013000',
    'BE68539007547034',
    'MC5811222000010123456789030',
  ])
    expect(findIbanError(iban)).toBeNull()
  expect(findIbanError('DE89370400440532013001')).toContain('clé de contrôle')
  expect(findIbanError('189')).toContain('deux lettres')
})
