export { anchorRotatedSequences, loadSequenceHeads, loadUpgradeInstant } from './anchor.ts'
export { loadAnnualSummary } from './annual.ts'
export { loadStuckDeliveries, loadUnsentDocumentIds, type StuckDelivery } from './deliveries.ts'
export {
  type AccountEntry,
  isCreditKind,
  loadPairAccounts,
  type PairAccount,
  type SellerBuyerPair,
  toDocumentEntry,
  toMoneyEntry,
} from './entries.ts'
export { findInvoiceById, findLastInvoice, type InvoiceRecord, loadInvoice, toInvoiceRecord } from './find.ts'
export { type IssueDocumentsInput, issueDocuments, type SnapshotDraft } from './issue.ts'
export {
  computeAccountOpenAmounts,
  computeInvoiceTotals,
  computeOpenAmountsOfAccounts,
  getInvoiceState,
  listAccountMatches,
  loadOpenAmounts,
  type OpenAmounts,
  sumDocuments,
} from './ledger.ts'
export { buildDocumentsMail } from './mail.ts'
export { buildDocumentFileName, DOCUMENT_MEDIA_TYPES, type DocumentFileKind, loadDocumentFile } from './papers.ts'
export { invoiceScope } from './scope.ts'
export { searchInvoices } from './search.ts'
export { sendDocuments } from './send.ts'
export { formatInvoiceNumber, lockInvoiceSequences } from './series.ts'
export { loadSuppliedDocuments, loadSuppliedWithState, type SuppliedDocument } from './supplied.ts'
export { SEQUENCE_FAULT_LABELS, type SequenceVerdict, verifyInvoiceSequences } from './verify.ts'
