import { offsetAt } from '@voisol/energy/calendar'

const STAMP = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::00)?(?:\.0+)?(Z|[+-]\d\d:?\d\d)?$/

/** The wall-clock minute, computed as if it were UTC; null if it is not a minute of an existing day. */
function parseClock(text: string): { minute: number; offset: number | null } | null {
  const match = STAMP.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, zone] = match
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (new Date(date).getUTCDate() !== Number(day) || Number(hour) > 24 || Number(minute) > 59) return null
  return {
    minute: date / 60_000 + Number(hour) * 60 + Number(minute),
    offset: zone === undefined ? null : parseOffset(zone),
  }
}

function parseOffset(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}

const digits = (text: string, at: number): number => {
  const value = (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
  return value >= 0 && value <= 99 && text.charCodeAt(at + 1) >= 48 && text.charCodeAt(at + 1) <= 57
    ? value
    : Number.NaN
}

/** The same as `parseClock` for timestamps without an offset, with the last day cached: they come by the million. */
function createPlainClockParser() {
  let day = ''
  let midnight = Number.NaN
  return (text: string): number | null => {
    if (text.length !== 19 || !text.endsWith(':00') || text.charCodeAt(13) !== 58) return null
    if (text.charCodeAt(10) !== 32 && text.charCodeAt(10) !== 84) return null
    if (!text.startsWith(day) || day === '') {
      const opens = parseClock(`${text.slice(0, 10)} 00:00:00`)
      if (!opens) return null
      day = text.slice(0, 10)
      midnight = opens.minute
    }
    const [hour, minute] = [digits(text, 11), digits(text, 14)]
    return hour <= 24 && minute <= 59 ? midnight + hour * 60 + minute : null
  }
}

/** The offset of Paris changes on the hour: all minutes of one wall-clock hour have the same offsets. */
function createParisOffsetFinder() {
  let known = Number.NaN
  let offsets: number[] = []
  return (minute: number): number[] => {
    const hour = Math.floor(minute / 60)
    if (hour !== known) offsets = [120, 60].filter((offset) => offsetAt(minute - offset) === offset)
    known = hour
    return offsets
  }
}

/**
 * Reads timestamps in their order. In autumn the wall clock of Paris shows the hour before three twice: the first time
 * it is summer time, the second winter time; in spring it skips an hour.
 */
export function createStampParser() {
  let last = Number.NEGATIVE_INFINITY
  const plain = createPlainClockParser()
  const offsetsOf = createParisOffsetFinder()
  return (text: string): number | null => {
    const ofGreenwich = text.endsWith('Z')
    const minute = plain(ofGreenwich ? text.slice(0, -1) : text)
    const clock = minute === null ? parseClock(text) : { minute, offset: ofGreenwich ? 0 : null }
    if (!clock) return null
    if (clock.offset !== null) return clock.minute - clock.offset
    const [first, second] = offsetsOf(clock.minute)
    if (first === undefined) return null
    const early = clock.minute - first
    last = early > last || second === undefined ? early : clock.minute - second > last ? clock.minute - second : early
    return last
  }
}

/** Whether the Paris wall clock shows this time again an hour before or after. */
const isRepeatedHour = (end: number) =>
  offsetAt(end + 60) === offsetAt(end) - 60 || offsetAt(end - 60) === offsetAt(end) + 60
const hasZone = (text: string) => /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10))

/** Mostly descending: the hour that occurs twice is a single descent in an ascending list. */
function isDescending(stamps: string[]): boolean {
  let rises = 0
  let falls = 0
  for (let at = 1; at < stamps.length; at++) {
    const [before = '', own = ''] = [stamps[at - 1], stamps[at]]
    if (own > before) rises++
    else if (own < before) falls++
  }
  return falls > rises
}

/**
 * The instants of the timestamps of an answer, in ascending or descending order. In the hour that occurs twice, any
 * other order leaves it ambiguous: such a timestamp is not read.
 */
export function parseStamps(stamps: string[]): (number | null)[] {
  const against = isDescending(stamps)
  const inOrder = against ? stamps.toReversed() : stamps
  const read = createStampParser()
  let last = Number.NEGATIVE_INFINITY
  const ends = inOrder.map((stamp) => {
    const end = read(stamp)
    if (end !== null && end <= last && isRepeatedHour(end) && !hasZone(stamp)) return null
    if (end !== null) last = Math.max(last, end)
    return end
  })
  return against ? ends.reverse() : ends
}

const STEP_MINUTES: Record<string, number> = { PT5M: 5, PT10M: 10, PT15M: 15, PT30M: 30, PT60M: 60, PT1H: 60 }
export const parseStepMinutes = (text: string | undefined) => STEP_MINUTES[text ?? ''] ?? null
