export {
  type AccountRow,
  accountOf,
  accountsOf,
  addAccount,
  listAccounts,
  openAccountIban,
  updateAccount,
} from './accounts.ts'
export { ibanPrint } from './ibans.ts'
export { tellMandates, tellSigned, tellStopped } from './tell.ts'
export { mandateText } from './text.ts'
export { lapseOf, type MandateRow } from './view.ts'
export { addMandate, insertMandate, openFormerIban, openMandateIban, signMandate, stopMandates } from './write.ts'
