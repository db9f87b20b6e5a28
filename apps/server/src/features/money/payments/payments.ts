export type { SellerBuyerPair } from '../invoices/invoices.ts'
export { lockAccounts } from './accounts.ts'
export { getHolderKey, loadCollectedAmounts } from './collected.ts'
export {
  type AccountMovement,
  type AccountOpenItem,
  loadAccountMovements,
  loadOpenItems,
  loadPayableItems,
  type PayableItem,
} from './open-items.ts'
export { type PaymentPlacement, type PostPaymentInput, postPayment } from './post.ts'
export { type RefundCreditInput, refundCredit } from './refund.ts'
export { type ReversePaymentInput, reversePayment } from './reverse.ts'
export { paymentScope } from './scope.ts'
