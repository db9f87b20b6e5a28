export { getConsentState, getExpiringSoonLimit, listParticipantsWithConsent, loadConsents } from './consent-queries.ts'
export { getCurrentConsentText, listAllConsentTexts, listCurrentConsentTexts } from './consent-texts.ts'
export {
  giveConsent,
  type RequestedParticipantIds,
  recordConsentEvents,
  recordConsentRequests,
  requestConsent,
  storeSignedConsents,
  withdrawConsent,
} from './record-consent.ts'
