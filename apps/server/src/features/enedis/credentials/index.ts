export { archiveAnswers } from './answer-archive.ts'
export {
  type CredentialRow,
  connectToEnedis,
  findCredentialFor,
  findEnedisHost,
  getOrCreateCredential,
} from './credentials.ts'
export {
  acquireCallSlot,
  openCircuitForRefusals,
  pauseCalls,
  recordCallOutcome,
  recordExtraCalls,
} from './rate-limits.ts'
