import { formatDate } from '../../../lib/format.ts'

/** « depuis le 01/03/2025 », « du 01/03/2025 au 31/12/2025 »; the end is the first day that is no longer meant. */
export function formatOpenDateRange(startsOn: string | null, endsOn: string | null) {
  if (startsOn && endsOn) return `du ${formatDate(startsOn)} au ${formatDate(endsOn)}`
  if (startsOn) return `depuis le ${formatDate(startsOn)}`
  return endsOn ? `jusqu’au ${formatDate(endsOn)}` : 'dates non données'
}
