import { offsetAt } from '@voisol/energy/calendar'
import type { StampPosition, StampZone } from './curve-file-types.ts'

/** Marks a wall clock time that does not exist. */
export const NONEXISTENT_TIME = -0x80000000
const DAY = 1440
/** Clocks that never change, in minutes ahead of UTC. */
const FIXED_OFFSETS = { UTC: 0, '+01:00': 60 }

// A summer offset and a winter one may both give the wall clock back (autumn), or neither (spring).
export const toSummerInstant = (local: number) => (offsetAt(local - 120) === 120 ? local - 120 : NONEXISTENT_TIME)
export const toWinterInstant = (local: number) => (offsetAt(local - 60) === 60 ? local - 60 : NONEXISTENT_TIME)

/**
 * Wall clock minutes of Paris, in the order of the file, as UTC minutes. In the repeated hour of autumn the first passage is
 * summer time: a stamp takes it unless the file has already gone past it on that day. An interval that ends at 02:00 on the
 * spring day ends when the clock jumps to 03:00.
 */
export function toInstants(local: Int32Array, length: number, zone: StampZone, stamp: StampPosition): Int32Array {
  const instants = new Int32Array(length)
  const backwards = length > 1 && (local[length - 1] ?? 0) < (local[0] ?? 0)
  const taken = new Set<number>()
  let day = NONEXISTENT_TIME
  let offset: number | null = null
  let latest = NONEXISTENT_TIME
  for (let n = 0; n < length; n++) {
    const at = backwards ? length - 1 - n : n
    const minute = local[at] ?? 0
    if (zone !== 'Europe/Paris') {
      instants[at] = minute - FIXED_OFFSETS[zone]
      continue
    }
    const dayOfMinute = Math.floor(minute / DAY)
    if (dayOfMinute !== day) {
      day = dayOfMinute
      latest = NONEXISTENT_TIME
      offset = getConstantOffset(day)
    }
    const instant = offset === null ? resolveInstant(minute, latest, taken, stamp) : minute - offset
    latest = Math.max(latest, instant)
    instants[at] = instant
  }
  return instants
}

/** The offset of a whole local day, null on the two days that change it. */
export function getConstantOffset(day: number): number | null {
  const first = offsetAt(day * DAY - 120)
  return first === offsetAt((day + 1) * DAY - 60) ? first : null
}

function resolveInstant(minute: number, latest: number, taken: Set<number>, stamp: StampPosition): number {
  const summer = toSummerInstant(minute)
  const winter = toWinterInstant(minute)
  if (summer !== NONEXISTENT_TIME && winter !== NONEXISTENT_TIME) {
    if (summer <= latest || taken.has(summer)) return winter
    taken.add(summer)
    return summer
  }
  if (summer === NONEXISTENT_TIME && winter === NONEXISTENT_TIME) {
    const jump = offsetAt(minute - 61) === 60 && stamp === 'end'
    return jump ? minute - 60 : NONEXISTENT_TIME
  }
  return summer === NONEXISTENT_TIME ? winter : summer
}
