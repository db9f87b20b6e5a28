export type { SellerBuyerPair } from '../../billing/invoices/index.ts'
export { paymentScope } from './list-payments.ts'
export {
  type AccountMovement,
  type AccountOpenItem,
  getHolderKey,
  loadAccountMovements,
  loadCollectedAmounts,
  loadOpenItems,
  loadPayableItems,
  type PayableItem,
} from './open-items.ts'
export {
  lockAccounts,
  type PaymentPlacement,
  type PostPaymentInput,
  postPayment,
  type RefundCreditInput,
  type ReversePaymentInput,
  refundCredit,
  reversePayment,
} from './post-payment.ts'
