import type { Consent } from '@voisol/contract/consents'
import { addMonths } from '@voisol/energy/calendar'
import type { Tone } from '../components/badge.tsx'
import { formatDate } from './format.ts'

export const CONSENT_STATE_LABELS: Record<Consent['state'] | 'missing', { label: string; tone: Tone }> = {
  valid: { label: 'Donné', tone: 'success' },
  expiring: { label: 'À renouveler', tone: 'warning' },
  expired: { label: 'Expiré', tone: 'danger' },
  withdrawn: { label: 'Retiré', tone: 'neutral' },
  missing: { label: 'Non donné', tone: 'neutral' },
}

/** A consent lasts three years at most. */
export const getLatestConsentExpiry = (givenOn: string) => addMonths(givenOn, 36)

/** The last word on a purpose; the list gives it first. */
export const findLatestConsent = (items: Consent[], purpose: Consent['purpose'], participantId: string) =>
  items.find((consent) => consent.purpose === purpose && consent.participantId === participantId)

export const isConsentGiven = (consent: Consent | undefined): consent is Consent =>
  consent?.state === 'valid' || consent?.state === 'expiring'

/** When it was given and until when it holds, or when it ended. */
export function formatConsentDates(consent: Consent): string {
  const given = `Donné le ${formatDate(consent.givenAt)}`
  if (consent.withdrawnAt) return `${given}, retiré le ${formatDate(consent.withdrawnAt)}`
  return `${given}, valable jusqu’au ${formatDate(consent.expiresOn)}`
}
