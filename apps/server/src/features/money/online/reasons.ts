import type { PaymentFactKind } from '../../../adapters/payments/types.ts'

const DECLINE_REASONS: Record<string, string> = {
  insufficient_funds: 'La banque refuse, faute de provision.',
  expired_card: 'La carte a expiré.',
  generic_decline: 'La banque refuse cette carte sans dire pourquoi.',
  lost_card: 'La banque refuse cette carte.',
  stolen_card: 'La banque refuse cette carte.',
  incorrect_cvc: 'Le cryptogramme n’est pas le bon.',
  authentication_required: 'La banque demande une confirmation qui n’a pas été donnée.',
  debit_not_authorized: 'Le titulaire du compte ou sa banque refuse ce prélèvement.',
  bank_account_closed: 'Le compte est clos.',
}
/** Why a payment was refused; an unknown code is shown as it is. */
export const formatDeclineReason = (code: string): string =>
  code === '' ? '' : (DECLINE_REASONS[code] ?? `La banque refuse ce paiement (${code}).`)

export const FACT_LABELS: Record<PaymentFactKind, string> = {
  completed: 'Page de paiement remplie',
  processing: 'Prélèvement en cours',
  paid: 'Paiement reçu',
  failed: 'Paiement refusé',
  expired: 'Page de paiement fermée sans paiement',
  refunded: 'Remboursement',
  refundFailed: 'Remboursement refusé par la banque',
  withdrawn: 'Somme reprise par une contestation',
  reinstated: 'Somme rendue après une contestation',
}
