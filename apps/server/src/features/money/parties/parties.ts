export { type BuyerRow, buyersOf } from './buyers.ts'
export { type OperationTerms, termsOf } from './operation-terms.ts'
export { mandateOn, type SellerRow, sellersOf } from './sellers.ts'
