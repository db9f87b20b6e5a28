import type { Consent } from '@voisol/contract/consents'
import { expect, test } from 'vitest'
import { findLatestConsent, formatConsentDates, getLatestConsentExpiry, isConsentGiven } from './consents.ts'

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
  expect(getLatestConsentExpiry('2026-11-15')).toBe('2029-11-15')
  expect(getLatestConsentExpiry('2028-02-29')).toBe('2031-02-28')
})

test('only the last word on a purpose counts, and only while it holds', () => {
  const older: Consent = { ...consent, id: 'b', state: 'expired' }
  expect(findLatestConsent([consent, older], 'collection', 'p')?.id).toBe('a')
  expect(findLatestConsent([consent], 'advice', 'p')).toBeUndefined()
  expect([consent, older, undefined].map(isConsentGiven)).toEqual([true, false, false])
})

test('the dates are local days', () => {
  expect(formatConsentDates(consent)).toBe('Donné le 10/01/2026, valable jusqu’au 10/01/2029')
  expect(formatConsentDates({ ...consent, withdrawnAt: '2026-05-01T10:00:00Z' })).toContain('retiré le 01/05/2026')
})
