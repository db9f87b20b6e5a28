import { offsetAt } from '@voisol/energy/calendar'

const STAMP = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::00)?(?:\.0+)?(Z|[+-]\d\d:?\d\d)?$/

/** The minutes of the clock, as if it stood in Greenwich; null where it is not a minute of a day that exists. */
function clockOf(text: string): { minute: number; offset: number | null } | null {
  const match = STAMP.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, zone] = match
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (new Date(date).getUTCDate() !== Number(day) || Number(hour) > 24 || Number(minute) > 59) return null
  return {
    minute: date / 60_000 + Number(hour) * 60 + Number(minute),
    offset: zone === undefined ? null : offsetOf(zone),
  }
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}

/**
 * Reads stamps in the order they come. A Paris clock shows the hour before two twice in autumn: the first time it is
 * summer, the second winter; in spring it never shows it.
 */
export function createStampReader() {
  let last = Number.NEGATIVE_INFINITY
  return (text: string): number | null => {
    const clock = clockOf(text)
    if (!clock) return null
    if (clock.offset !== null) return clock.minute - clock.offset
    const possible = [120, 60].map((offset) => clock.minute - offset).filter((at) => offsetAt(at) === clock.minute - at)
    const found = possible.find((at) => at > last) ?? possible[0]
    if (found === undefined) return null
    last = found
    return found
  }
}

const STEPS: Record<string, number> = { PT5M: 5, PT10M: 10, PT15M: 15, PT30M: 30, PT60M: 60, PT1H: 60 }
export const stepOf = (text: string | undefined) => STEPS[text ?? ''] ?? null
