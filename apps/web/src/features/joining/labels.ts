import {
  APPLICATION_KIND_LABELS,
  APPLICATION_STATE_LABELS,
  type ApplicationKind,
  type ApplicationState,
} from '@voisol/contract/joining-words'
import type { Tone } from '../../ui/badge.tsx'

export const APPLICATION_STATE_TONES: Record<ApplicationState, Tone> = {
  draft: 'neutral',
  verified: 'neutral',
  waiting: 'warning',
  accepted: 'success',
  refused: 'danger',
  withdrawn: 'neutral',
}

export const applicationStateOptions = Object.entries(APPLICATION_STATE_LABELS).map(([value, label]) => ({
  value: value as ApplicationState, // entries() forgets the key type
  label,
}))
export const applicationKindOptions = Object.entries(APPLICATION_KIND_LABELS).map(([value, label]) => ({
  value: value as ApplicationKind, // entries() forgets the key type
  label,
}))
