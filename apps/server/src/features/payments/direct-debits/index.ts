export { announceDebitRun } from './announce-debit-run.ts'
export { prepareDebitFile } from './debit-file.ts'
export {
  type BankOutcome,
  collectDebit,
  loadDebitsOfAccount,
  loadPendingDebitDays,
  returnDebit,
  undoCollection,
  undoReturn,
} from './debit-outcome.ts'
export { buildDebitNoticeMail, loadReturnDescriber, markRunSent } from './debit-runs.ts'
