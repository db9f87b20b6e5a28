import type { Consent } from '@voisol/contract/consents'
import { expect, test } from 'vitest'
import { consentDates, isGiven, lastWord, longestConsent } from './consents.ts'

const consent: Consent = {
  id: 'a',
  participantId: 'p',
  purpose: 'collection',
  textVersion: '2026-01',
  method: 'paper',
  recordedBy: 'x',
  givenAt: '2026-01-09T23:00:00Z',
  expiresOn: '2029-01-10',
  withdrawnAt: null,
  state: 'valid',
}

test('three years at most, also from a leap day', () => {
  expect(longestConsent('2026-11-15')).toBe('2029-11-15')
  expect(longestConsent('2028-02-29')).toBe('2031-02-28')
})

test('only the last word on a purpose counts, and only while it holds', () => {
  const older: Consent = { ...consent, id: 'b', state: 'expired' }
  expect(lastWord([consent, older], 'collection', 'p')?.id).toBe('a')
  expect(lastWord([consent], 'advice', 'p')).toBeUndefined()
  expect([consent, older, undefined].map(isGiven)).toEqual([true, false, false])
})

test('the dates are local days', () => {
  expect(consentDates(consent)).toBe('Donné le 10/01/2026, valable jusqu’au 10/01/2029')
  expect(consentDates({ ...consent, withdrawnAt: '2026-05-01T10:00:00Z' })).toContain('retiré le 01/05/2026')
})
