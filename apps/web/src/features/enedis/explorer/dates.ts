import { date } from '../../../lib/format.ts'

/** « depuis le 01/03/2025 », « du 01/03/2025 au 31/12/2025 »; the end is the first day that is no longer meant. */
export function datesWords(startsOn: string | null, endsOn: string | null) {
  if (startsOn && endsOn) return `du ${date(startsOn)} au ${date(endsOn)}`
  if (startsOn) return `depuis le ${date(startsOn)}`
  return endsOn ? `jusqu’au ${date(endsOn)}` : 'dates non données'
}
