export {
  type AccountEntry,
  computeAccountOpenAmounts,
  computeInvoiceTotals,
  computeOpenAmountsOfAccounts,
  getInvoiceState,
  isCreditKind,
  listAccountMatches,
  loadOpenAmounts,
  loadPairAccounts,
  type OpenAmounts,
  type PairAccount,
  type SellerBuyerPair,
  sumDocuments,
  toDocumentEntry,
  toMoneyEntry,
} from './account-ledger.ts'
export {
  loadAnnualSummary,
  loadSuppliedDocuments,
  loadSuppliedWithState,
  type SuppliedDocument,
} from './annual-summary.ts'
export { loadStuckDeliveries, loadUnsentDocumentIds, type StuckDelivery } from './deliveries.ts'
export {
  buildDocumentFileName,
  DOCUMENT_MEDIA_TYPES,
  type DocumentFileKind,
  loadDocumentFile,
} from './document-files.ts'
export { buildDocumentsMail } from './invoice-mail.ts'
export { formatInvoiceNumber, lockInvoiceSequences } from './invoice-sequence.ts'
export { type IssueDocumentsInput, issueDocuments, type SnapshotDraft } from './issue-documents.ts'
export { searchInvoices } from './list-invoices.ts'
export {
  findInvoiceById,
  findLastInvoice,
  type InvoiceRecord,
  invoiceScope,
  loadInvoice,
  toInvoiceRecord,
} from './load-invoice.ts'
export { sendDocuments } from './send-invoices.ts'
export { anchorRotatedSequences, loadSequenceHeads, loadUpgradeInstant } from './sequence-anchors.ts'
export { SEQUENCE_FAULT_LABELS, type SequenceVerdict, verifyInvoiceSequences } from './verify-sequences.ts'
