export { archiveAnswers } from './answers.ts'
export { connectToEnedis, findEnedisHost } from './connect.ts'
export { type CredentialRow, findCredentialFor, getOrCreateCredential } from './credentials.ts'
export { acquireCallSlot, openCircuitForRefusals, pauseCalls, recordCallOutcome, recordExtraCalls } from './pace.ts'
