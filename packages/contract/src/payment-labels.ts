import { z } from 'zod'

/** Credits: receipt, writeOff, openingCredit. Debits: refund, return, undo, charge, openingDebit. */
export const PaymentKind = z.enum([
  'receipt',
  'writeOff',
  'openingCredit',
  'refund',
  'return',
  'undo',
  'charge',
  'openingDebit',
])
export type PaymentKind = z.infer<typeof PaymentKind>
export const PostedKind = PaymentKind.extract(['receipt', 'writeOff', 'openingCredit', 'charge', 'openingDebit'])
export type PostedKind = z.infer<typeof PostedKind>
export const PaymentMethod = z.enum(['transfer', 'debit', 'card', 'onlineDebit', 'cheque', 'cash', 'setOff', 'none'])
export type PaymentMethod = z.infer<typeof PaymentMethod>

export const PAYMENT_KIND_LABELS: Record<PaymentKind, string> = {
  receipt: 'Encaissement',
  writeOff: 'Passage en perte',
  openingCredit: 'Reprise d’un avoir',
  refund: 'Remboursement',
  return: 'Rejet de la banque',
  undo: 'Annulation',
  charge: 'Frais',
  openingDebit: 'Reprise d’une dette',
}
export const PAYMENT_METHOD_LABELS: Record<PaymentMethod, string> = {
  transfer: 'Virement',
  debit: 'Prélèvement',
  card: 'Carte',
  onlineDebit: 'Prélèvement en ligne',
  cheque: 'Chèque',
  cash: 'Espèces',
  setOff: 'Compensation',
  none: 'Sans mouvement d’argent',
}
