import type { ApiKey } from '@voisol/contract/api-keys'
import type { Tone } from '../../ui/badge.tsx'

export const API_KEY_STATUS_BADGES: Record<ApiKey['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  retiring: { label: 'Remplacée', tone: 'warning' },
  expired: { label: 'Terminée', tone: 'neutral' },
  revoked: { label: 'Révoquée', tone: 'danger' },
}
export const API_KEY_STATUS_OPTIONS = Object.entries(API_KEY_STATUS_BADGES).map(([value, { label }]) => ({
  value,
  label,
}))

/** How long the old key may stay, in hours. */
export const OVERLAP_OPTIONS = [
  { value: '0', label: 'Aucun', hint: 'L’ancienne s’arrête à l’instant\u00a0: pour une clé perdue ou copiée.' },
  { value: '1', label: 'Une heure' },
  { value: '24', label: 'Un jour' },
  { value: '168', label: 'Sept jours' },
  { value: '720', label: 'Trente jours' },
]
