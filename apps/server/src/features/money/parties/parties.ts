export { saveBuyer } from './buyer-write.ts'
export { type BuyerRow, loadBuyers } from './buyers.ts'
export { type Creditor, loadCreditorsOn, loadSellerIdsOfCreditor } from './creditors.ts'
export { addBuyerGroup } from './groups.ts'
export { loadPartyIssues, needsMandate } from './issues.ts'
export { requireSignedFileType } from './mandate-files.ts'
export { addBillingMandate, saveSignedMandate } from './mandates.ts'
export {
  loadOperationTerms,
  loadOrganisersByOperation,
  type OperationTermsRow,
  saveOperationTerms,
} from './operation-terms.ts'
export { proposeInvoicePrefix } from './prefix.ts'
export { findVatModeOn, toSnapshotSeller } from './printed.ts'
export { decryptSellerIban, saveSellerBank } from './seller-bank.ts'
export { listSellerCandidates } from './seller-view.ts'
export { addSeller } from './seller-write.ts'
export { loadBillingMandateOn, loadSellers, type SellerRow } from './sellers.ts'
export { addVat } from './vat.ts'
