import type { OnlineMethod, OnlineState, PaymentEnvironment } from '@voisol/contract/online-views'
import type { Tone } from '../../../components/badge.tsx'

export const ONLINE_STATE_LABELS: Record<OnlineState, { label: string; tone: Tone }> = {
  open: { label: 'Ouvert', tone: 'info' },
  processing: { label: 'En cours à la banque', tone: 'warning' },
  paid: { label: 'Payé', tone: 'success' },
  failed: { label: 'Refusé', tone: 'danger' },
  expired: { label: 'Abandonné', tone: 'neutral' },
  partly: { label: 'Remboursé en partie', tone: 'warning' },
  refunded: { label: 'Remboursé', tone: 'neutral' },
  disputed: { label: 'Contesté', tone: 'danger' },
}
export const ONLINE_METHOD_LABELS: Record<OnlineMethod, { label: string; hint: string }> = {
  card: { label: 'Carte bancaire', hint: 'Confirmée en quelques secondes.' },
  debit: {
    label: 'Prélèvement SEPA',
    hint: 'Vous signez un mandat pour ce seul paiement. Votre banque répond sous quelques jours.',
  },
}
export const PAYMENT_ENVIRONMENT_LABELS: Record<PaymentEnvironment, { label: string; hint: string }> = {
  local: {
    label: 'Bac à sable',
    hint: 'Le prestataire de démonstration livré avec Voisol\u00a0: aucun argent ne circule.',
  },
  test: { label: 'Stripe, mode d’essai', hint: 'Votre compte Stripe avec une clé sk_test_…' },
  live: { label: 'Stripe, mode réel', hint: 'Votre compte Stripe avec une clé sk_live_…' },
}
