export {
  addBankAccount,
  type BankAccountRow,
  decryptAccountIban,
  loadBankAccount,
  loadBankAccounts,
} from '../mandates/mandates.ts'
export { importStatements } from './import.ts'
export { recordPayoutEvents, recordPayoutsFiled, recordPayoutsTransferred } from './tell-payouts.ts'
