import { offsetAt } from '@voisol/energy/calendar'
import type { Stamp, Zone } from './types.ts'

/** Marks a wall clock time that does not exist. */
export const NOWHERE = -0x80000000
const DAY = 1440
/** Clocks that never change, in minutes ahead of UTC. */
const FIXED = { UTC: 0, '+01:00': 60 }

// A summer offset and a winter one may both give the wall clock back (autumn), or neither (spring).
export const summerOf = (local: number) => (offsetAt(local - 120) === 120 ? local - 120 : NOWHERE)
export const winterOf = (local: number) => (offsetAt(local - 60) === 60 ? local - 60 : NOWHERE)

/**
 * Wall clock minutes of Paris, in the order of the file, as UTC minutes. In the repeated hour of autumn the first passage is
 * summer time: a stamp takes it unless the file has already gone past it on that day. An interval that ends at 02:00 on the
 * spring day ends when the clock jumps to 03:00.
 */
export function toInstants(local: Int32Array, length: number, zone: Zone, stamp: Stamp): Int32Array {
  const instants = new Int32Array(length)
  const backwards = length > 1 && (local[length - 1] ?? 0) < (local[0] ?? 0)
  const taken = new Set<number>()
  let day = NOWHERE
  let offset: number | null = null
  let latest = NOWHERE
  for (let n = 0; n < length; n++) {
    const at = backwards ? length - 1 - n : n
    const minute = local[at] ?? 0
    if (zone !== 'Europe/Paris') {
      instants[at] = minute - FIXED[zone]
      continue
    }
    const dayOfMinute = Math.floor(minute / DAY)
    if (dayOfMinute !== day) {
      day = dayOfMinute
      latest = NOWHERE
      offset = constantOffset(day)
    }
    const instant = offset === null ? settle(minute, latest, taken, stamp) : minute - offset
    latest = Math.max(latest, instant)
    instants[at] = instant
  }
  return instants
}

/** The offset of a whole local day, null on the two days that change it. */
export function constantOffset(day: number): number | null {
  const first = offsetAt(day * DAY - 120)
  return first === offsetAt((day + 1) * DAY - 60) ? first : null
}

function settle(minute: number, latest: number, taken: Set<number>, stamp: Stamp): number {
  const summer = summerOf(minute)
  const winter = winterOf(minute)
  if (summer !== NOWHERE && winter !== NOWHERE) {
    if (summer <= latest || taken.has(summer)) return winter
    taken.add(summer)
    return summer
  }
  if (summer === NOWHERE && winter === NOWHERE) {
    const jump = offsetAt(minute - 61) === 60 && stamp === 'end'
    return jump ? minute - 60 : NOWHERE
  }
  return summer === NOWHERE ? winter : summer
}
