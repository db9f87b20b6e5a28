import type { MessageAudience, MessageRow, MessageState, RecipientState } from '@voisol/contract/messages'
import { plural } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const STATES: Record<MessageState, { label: string; tone: Tone }> = {
  scheduled: { label: 'Programmé', tone: 'info' },
  sent: { label: 'Envoyé', tone: 'success' },
  cancelled: { label: 'Annulé', tone: 'neutral' },
  failed: { label: 'Non envoyé', tone: 'danger' },
}
export const AUDIENCES: Record<MessageAudience, string> = {
  operation: 'Une opération',
  group: 'Un groupe',
  person: 'Une personne',
}
export const MAIL_STATES: Record<RecipientState, { label: string; tone: Tone }> = {
  queued: { label: 'En attente d’envoi', tone: 'info' },
  delivered: { label: 'Remis au serveur', tone: 'success' },
  failed: { label: 'Refusé', tone: 'danger' },
  portal: { label: 'Portail seulement', tone: 'neutral' },
  none: { label: 'Ni e-mail ni compte', tone: 'warning' },
}

/** How it fares, in a sentence. */
export function countWords({ state, counts }: Pick<MessageRow, 'state' | 'counts'>): string {
  if (state !== 'sent') return ''
  const { recipients, opened, answered } = counts
  const read = `${opened} sur ${recipients} l’${opened > 1 ? 'ont' : 'a'} ouvert`
  return answered ? `${read}, ${plural(answered, 'réponse')}` : read
}
