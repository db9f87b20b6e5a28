import { date, dateTime } from '../../lib/format.ts'

const isMidnight = (instant: string) => /\u00a000:00$/.test(dateTime(instant))

/** The midnight that closes a day belongs to the day it closes. */
export const receivedText = (until: string | null) =>
  until === null ? 'Jamais' : isMidnight(until) ? date(Date.parse(until) - 1) : dateTime(until)
