import type { MessageAudience, MessageState, RecipientState } from '@voisol/contract/messages'

import type { Tone } from '../../../components/badge.tsx'

export const MESSAGE_STATE_LABELS: Record<MessageState, { label: string; tone: Tone }> = {
  scheduled: { label: 'Programmé', tone: 'info' },
  sent: { label: 'Envoyé', tone: 'success' },
  cancelled: { label: 'Annulé', tone: 'neutral' },
  failed: { label: 'Non envoyé', tone: 'danger' },
}
export const AUDIENCE_LABELS: Record<MessageAudience, string> = {
  operation: 'Une opération',
  group: 'Un groupe',
  person: 'Une personne',
}
export const RECIPIENT_STATE_LABELS: Record<RecipientState, { label: string; tone: Tone }> = {
  queued: { label: 'En attente d’envoi', tone: 'info' },
  delivered: { label: 'Remis au serveur', tone: 'success' },
  failed: { label: 'Refusé', tone: 'danger' },
  portal: { label: 'Portail seulement', tone: 'neutral' },
  none: { label: 'Ni e-mail ni compte', tone: 'warning' },
}
