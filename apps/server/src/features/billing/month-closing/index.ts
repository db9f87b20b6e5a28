export { checkOpenMonth } from './check-month.ts'
export { closeMonth, lockOperation } from './close-month.ts'
export {
  type ComputeContext,
  computeMonth,
  loadMonthSource,
  type MonthContext,
  type MonthRequest,
  type MonthSource,
} from './compute-month.ts'
export { buildInvoiceDrafts, toSnapshotLine } from './invoice-drafts.ts'
export { issueMonth, loadInvoiceContext } from './issue-invoices.ts'
export { computeMonthTotals } from './month-totals.ts'
export { previewMonth } from './preview-month.ts'
export {
  type ClosedMonthRow,
  findClosedMonth,
  loadComputation,
  type MonthResult,
  packMonth,
  type StoredComputation,
  toStoredOutcome,
} from './stored-months.ts'
