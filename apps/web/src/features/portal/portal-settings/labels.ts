import type { InvitationState, PortalBlock, PortalPerson } from '@voisol/contract/portal-management'
import type { Tone } from '../../../components/badge.tsx'
import { formatDate } from '../../../lib/format.ts'

export const INVITATION_STATE_LABELS: Record<InvitationState, { label: string; tone: Tone }> = {
  none: { label: 'Pas invité', tone: 'neutral' },
  sent: { label: 'Envoyée', tone: 'info' },
  expired: { label: 'Expirée', tone: 'warning' },
  accepted: { label: 'Acceptée', tone: 'success' },
  disabled: { label: 'Accès fermé', tone: 'danger' },
}

export const PORTAL_BLOCK_LABELS: Record<PortalBlock['key'], { label: string; hint: string }> = {
  chart: { label: 'Courbe du jour', hint: 'La dernière journée mesurée, heure par heure.' },
  news: { label: 'Depuis votre visite', hint: 'Ce qui est arrivé depuis la dernière fois.' },
  hours: { label: 'Meilleures heures', hint: 'Quand lancer ses appareils, demain et d’habitude.' },
  invoice: { label: 'Dernière facture', hint: 'Son montant et ce qui reste à payer.' },
  messages: { label: 'Messages', hint: 'Ce que vous avez écrit aux participants.' },
  contact: { label: 'Une question\u00a0?', hint: 'Votre téléphone et votre adresse e-mail.' },
}

/** A letter that still opens something, or what became of it. */
export function describeLetter(letter: PortalPerson['letter'], now = Date.now()): string {
  if (!letter) return 'Aucune'
  if (letter.usedAt) return `Code utilisé le ${formatDate(letter.usedAt)}`
  if (Date.parse(letter.expiresAt) < now) return `Code expiré le ${formatDate(letter.expiresAt)}`
  return `Faite le ${formatDate(letter.madeAt)}, valable jusqu’au ${formatDate(letter.expiresAt)}`
}
