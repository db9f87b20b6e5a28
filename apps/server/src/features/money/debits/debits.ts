export { announceRun } from './announce.ts'
export { debitMail } from './notice.ts'
export {
  collectDebit,
  debitsOfAccount,
  debitsUnderWay,
  returnDebit,
  type Told,
  undoCollect,
  undoReturn,
} from './outcome.ts'
export { prepareFile } from './prepare.ts'
export { markSent } from './runs.ts'
export { returnWords } from './said.ts'
