export { anchorRotated, loadSeriesHeads, loadUpgradeInstant } from './anchor.ts'
export { annualOf } from './annual.ts'
export { type Stuck, stuckDeliveries, unsentDocuments } from './deliveries.ts'
export {
  type AccountEntry,
  documentEntry,
  isCredit,
  moneyEntry,
  type Pair,
  type PairAccount,
  readAccounts,
} from './entries.ts'
export { findInvoice, type InvoiceRecord, invoiceOf, lastInvoice, wholeInvoice } from './find.ts'
export { type IssueOrder, issueDocuments, type SnapshotDraft } from './issue.ts'
export { matchesOfAccount, type Open, openOfAccount, openOfAll, readOpen, stateOf, sumOf, totalsOf } from './ledger.ts'
export { documentsMail } from './mail.ts'
export { PAPER_TYPES, type PaperKind, paperName, paperOf } from './papers.ts'
export { invoiceScope } from './scope.ts'
export { searchInvoices } from './search.ts'
export { sendDocuments } from './send.ts'
export { lockSeries, numberOf } from './series.ts'
export { type Supplied, standingIn, suppliedIn } from './supplied.ts'
export { SERIES_FAULTS, type SeriesVerdict, verifySeries } from './verify.ts'
