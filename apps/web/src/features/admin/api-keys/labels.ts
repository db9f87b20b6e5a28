import type { ApiKey } from '@voisol/contract/api-keys'
import type { Tone } from '../../../components/badge.tsx'

export const API_KEY_STATUS_BADGES: Record<ApiKey['status'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  retiring: { label: 'Remplacée', tone: 'warning' },
  expired: { label: 'Terminée', tone: 'neutral' },
  revoked: { label: 'Révoquée', tone: 'danger' },
}
