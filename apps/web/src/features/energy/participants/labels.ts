import { operations } from '@voisol/contract/operations'
import { type Participant, participants } from '@voisol/contract/participants'
import { type Participation, points } from '@voisol/contract/points'
import type { Tone } from '../../../components/badge.tsx'
import { formatNumber } from '../../../lib/format.ts'

type Label = { label: string; tone: Tone }

export const PARTICIPANT_KIND_LABELS: Record<Participant['kind'], string> = {
  person: 'Particulier',
  organisation: 'Organisation',
}
export const PORTAL_STATUS_LABELS: Record<Participant['portal']['status'], Label> = {
  none: { label: 'Pas invité', tone: 'neutral' },
  invited: { label: 'Invité', tone: 'warning' },
  active: { label: 'Actif', tone: 'success' },
  disabled: { label: 'Désactivé', tone: 'danger' },
}

/** What an entry, an exit or a change of somebody makes old. */
export const PARTICIPANT_DEPENDENT_QUERIES = [
  participants.list,
  participants.get,
  points.list,
  operations.list,
  operations.get,
  operations.overview,
]

/** « C5 · 9 kVA », « P4 · 36,5 kWc ». */
export const formatPointPower = ({ segment, subscribedVa, peakWatts }: Participation['point']) =>
  [
    segment,
    subscribedVa !== null && `${formatNumber(subscribedVa / 1000)}\u00a0kVA`,
    peakWatts !== null && `${formatNumber(peakWatts / 1000)}\u00a0kWc`,
  ]
    .filter(Boolean)
    .join(' · ')
