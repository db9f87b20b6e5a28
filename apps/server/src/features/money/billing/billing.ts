export { checkOpenMonth } from './check.ts'
export { closeMonth, lockOperation } from './close.ts'
export { type ComputeContext, computeMonth, type MonthRequest } from './computed.ts'
export { buildInvoiceDrafts } from './drafts.ts'
export { computeMonthTotals } from './facts.ts'
export { issueMonth, loadInvoiceContext } from './issue.ts'
export { loadMonthSource, type MonthContext, type MonthSource } from './month-input.ts'
export { previewMonth } from './preview.ts'
export { toSnapshotLine } from './snapshot-lines.ts'
export {
  type ClosedMonthRow,
  findClosedMonth,
  loadComputation,
  type MonthResult,
  packMonth,
  type StoredComputation,
  toStoredOutcome,
} from './stored.ts'
