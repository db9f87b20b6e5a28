export { keepAnswers } from './answers.ts'
export { connect, hostOf } from './connect.ts'
export { type CredentialRow, credentialFor, ensureCredential } from './credentials.ts'
export { addCalls, pause, reportCall, suspectRefusals, takeCall } from './pace.ts'
