export {
  addBankAccount,
  type BankAccountRow,
  decryptAccountIban,
  listBankAccounts,
  loadBankAccount,
  loadBankAccounts,
  updateBankAccount,
} from './accounts.ts'
export { computeIbanFingerprint } from './ibans.ts'
export { recordMandateEvents, recordMandatesSigned, recordMandatesStopped } from './tell.ts'
export { loadMandateText } from './text.ts'
export { computeLapseDay, type MandateRow } from './view.ts'
export { addMandate, decryptFormerIban, decryptMandateIban, insertMandate, signMandate, stopMandates } from './write.ts'
