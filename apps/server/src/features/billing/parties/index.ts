export { addBillingMandate, requireSignedFileType, saveSignedMandate } from './billing-mandates.ts'
export { addSeller, addVat, decryptSellerIban, saveSellerBank } from './change-seller.ts'
export {
  type Creditor,
  findVatModeOn,
  loadCreditorsOn,
  loadSellerIdsOfCreditor,
  toSnapshotSeller,
} from './invoice-parties.ts'
export { listSellerCandidates, proposeInvoicePrefix } from './list-sellers.ts'
export { type BuyerRow, loadBuyers, loadSellers, type SellerRow } from './load-parties.ts'
export { addBuyerGroup, saveBuyer } from './manage-buyers.ts'
export {
  loadOperationTerms,
  loadOrganisersByOperation,
  type OperationTermsRow,
  saveOperationTerms,
} from './operation-terms.ts'
export {
  checkInvoiceParties,
  findBillingMandateOn,
  type InvoiceParties,
  loadInvoiceParties,
  loadPartyIssues,
  needsMandate,
} from './party-issues.ts'
