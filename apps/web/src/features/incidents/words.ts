import { STATUS_PARTS, type StatusPartName } from '@voisol/contract/incident-words'
import type { Incident } from '@voisol/contract/incidents'
import { dateTime } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

const TONES: Record<Incident['state'], Tone> = {
  investigating: 'danger',
  identified: 'warning',
  monitoring: 'info',
  resolved: 'success',
  planned: 'info',
  ongoing: 'warning',
  completed: 'success',
  cancelled: 'neutral',
}
export const toneOf = ({ state }: Pick<Incident, 'state'>): Tone => TONES[state]

export const partWords = (parts: readonly StatusPartName[]) => parts.map((part) => STATUS_PARTS[part]).join(', ')

/** When it was, or is to be. */
export const spanWords = ({ kind, startsAt, endsAt, closedAt }: Incident) => {
  if (kind === 'maintenance' && endsAt) return `Du ${dateTime(startsAt)} au ${dateTime(endsAt)}`
  return closedAt ? `Du ${dateTime(startsAt)} au ${dateTime(closedAt)}` : `Depuis le ${dateTime(startsAt)}`
}

/** A window that is past while nobody said that the work is done. */
export const isOverdue = ({ endsAt, closedAt }: Incident, now = Date.now()) =>
  endsAt !== null && closedAt === null && Date.parse(endsAt) < now
