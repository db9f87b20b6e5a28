export { checkOpen } from './check.ts'
export { closeNow, lockOperation } from './close.ts'
export { type Computing, computeNow, type Wanted } from './computed.ts'
export { draftsOf } from './drafts.ts'
export { totalsOf } from './facts.ts'
export { deskOf, issueNow } from './issue.ts'
export { type Frame, type MonthSource, monthInput } from './month-input.ts'
export { previewOf } from './preview.ts'
export { lineOf } from './snapshot-lines.ts'
export {
  type Computed,
  computationOf,
  findMonth,
  type MonthRow,
  outcomeOf,
  packMonth,
  type StoredMonth,
} from './stored.ts'
