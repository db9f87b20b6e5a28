import { STATUS_PARTS, type StatusPartName } from '@voisol/contract/incident-words'
import type { Incident } from '@voisol/contract/incidents'
import { formatDateTime } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

const STATE_TONES: Record<Incident['state'], Tone> = {
  investigating: 'danger',
  identified: 'warning',
  monitoring: 'info',
  resolved: 'success',
  planned: 'info',
  ongoing: 'warning',
  completed: 'success',
  cancelled: 'neutral',
}
export const getIncidentTone = ({ state }: Pick<Incident, 'state'>): Tone => STATE_TONES[state]

export const formatStatusParts = (parts: readonly StatusPartName[]) =>
  parts.map((part) => STATUS_PARTS[part]).join(', ')

/** When it was, or is to be. */
export const formatIncidentPeriod = ({ kind, startsAt, endsAt, closedAt }: Incident) => {
  if (kind === 'maintenance' && endsAt) return `Du ${formatDateTime(startsAt)} au ${formatDateTime(endsAt)}`
  return closedAt
    ? `Du ${formatDateTime(startsAt)} au ${formatDateTime(closedAt)}`
    : `Depuis le ${formatDateTime(startsAt)}`
}

/** A window that is past while nobody said that the work is done. */
export const isMaintenanceOverdue = ({ endsAt, closedAt }: Incident, now = Date.now()) =>
  endsAt !== null && closedAt === null && Date.parse(endsAt) < now
