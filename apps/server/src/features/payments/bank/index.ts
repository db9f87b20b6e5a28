export {
  addBankAccount,
  type BankAccountRow,
  decryptAccountIban,
  loadBankAccount,
  loadBankAccounts,
} from '../mandates/index.ts'
export { importStatements } from './import-bank-statement.ts'
export { recordPayoutEvents, recordPayoutsFiled, recordPayoutsTransferred } from './post-bank-line.ts'
