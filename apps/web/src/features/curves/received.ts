import { formatDate, formatDateTime } from '../../lib/format.ts'

const isMidnight = (instant: string) => /\u00a000:00$/.test(formatDateTime(instant))

/** The midnight that closes a day belongs to the day it closes. */
export const formatReceivedUntil = (until: string | null) =>
  until === null ? 'Jamais' : isMidnight(until) ? formatDate(Date.parse(until) - 1) : formatDateTime(until)
