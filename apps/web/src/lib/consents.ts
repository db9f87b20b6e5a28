import type { Consent } from '@voisol/contract/consents'
import { addMonths } from '@voisol/energy/calendar'
import type { Tone } from '../ui/badge.tsx'
import { date } from './format.ts'

export const CONSENT_STATES: Record<Consent['state'] | 'missing', { label: string; tone: Tone }> = {
  valid: { label: 'Donné', tone: 'success' },
  expiring: { label: 'À renouveler', tone: 'warning' },
  expired: { label: 'Expiré', tone: 'danger' },
  withdrawn: { label: 'Retiré', tone: 'neutral' },
  missing: { label: 'Non donné', tone: 'neutral' },
}

/** A consent lasts three years at most. */
export const longestConsent = (givenOn: string) => addMonths(givenOn, 36)

/** The last word on a purpose; the list gives it first. */
export const lastWord = (items: Consent[], purpose: Consent['purpose'], participantId: string) =>
  items.find((consent) => consent.purpose === purpose && consent.participantId === participantId)

export const isGiven = (consent: Consent | undefined): consent is Consent =>
  consent?.state === 'valid' || consent?.state === 'expiring'

/** When it was given and until when it holds, or when it ended. */
export function consentDates(consent: Consent): string {
  const given = `Donné le ${date(consent.givenAt)}`
  if (consent.withdrawnAt) return `${given}, retiré le ${date(consent.withdrawnAt)}`
  return `${given}, valable jusqu’au ${date(consent.expiresOn)}`
}
