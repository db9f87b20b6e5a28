export {
  addBankAccount,
  type BankAccountRow,
  computeIbanFingerprint,
  decryptAccountIban,
  listBankAccounts,
  loadBankAccount,
  loadBankAccounts,
  updateBankAccount,
} from './bank-accounts.ts'
export {
  addMandate,
  decryptFormerIban,
  decryptMandateIban,
  insertMandate,
  recordMandateEvents,
  recordMandatesSigned,
  recordMandatesStopped,
  signMandate,
  stopMandates,
} from './change-mandates.ts'
export { computeLapseDay, type MandateRow } from './list-mandates.ts'
export { loadMandateText } from './mandate-text.ts'
