import {
  APPLICATION_KINDS,
  APPLICATION_STATES,
  type ApplicationKind,
  type ApplicationState,
} from '@voisol/contract/joining-words'
import type { Tone } from '../../ui/badge.tsx'

export const TONES: Record<ApplicationState, Tone> = {
  draft: 'neutral',
  verified: 'neutral',
  waiting: 'warning',
  accepted: 'success',
  refused: 'danger',
  withdrawn: 'neutral',
}

export const stateOptions = Object.entries(APPLICATION_STATES).map(([value, label]) => ({
  value: value as ApplicationState, // entries() forgets the key type
  label,
}))
export const kindOptions = Object.entries(APPLICATION_KINDS).map(([value, label]) => ({
  value: value as ApplicationKind, // entries() forgets the key type
  label,
}))
