export { announceDebitRun } from './announce.ts'
export { buildDebitNoticeMail } from './notice.ts'
export {
  type BankOutcome,
  collectDebit,
  loadDebitsOfAccount,
  loadPendingDebitDays,
  returnDebit,
  undoCollection,
  undoReturn,
} from './outcome.ts'
export { prepareDebitFile } from './prepare.ts'
export { markRunSent } from './runs.ts'
export { loadReturnDescriber } from './said.ts'
