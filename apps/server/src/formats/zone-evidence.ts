import { isKnownStep } from './codes.ts'
import { getConstantOffset, NONEXISTENT_TIME, toSummerInstant, toWinterInstant } from './instants.ts'
import type { StampZone } from './types.ts'

const DAY = 1440
export type ZoneEvidence = { zone: StampZone; proof: boolean } | null

/**
 * What the wall clock itself says on the two days that change it. An hour that comes twice in autumn, or that is skipped in
 * spring between rows that otherwise follow each other, is Paris and nothing else. A time inside the hour that spring skips
 * is not the clock of Paris, or a row too many: which of the two, only a person knows.
 */
export function findZoneEvidence(local: Int32Array, length: number): ZoneEvidence {
  let inHole = 0
  let proofs = 0
  const seen = new Set<number>()
  let day = NONEXISTENT_TIME
  let constant = true
  let pace = 0
  for (let at = 0; at < length; at++) {
    const minute = local[at] ?? 0
    const before = local[at - 1] ?? minute
    const earlier = pace
    if (at > 0 && skipsSpringHour(before, minute, earlier)) proofs++
    pace = Math.abs(minute - before)
    const dayOfMinute = Math.floor(minute / DAY)
    if (dayOfMinute !== day) {
      day = dayOfMinute
      constant = getConstantOffset(day) !== null
    }
    if (constant) continue
    const [summer, winter] = [toSummerInstant(minute), toWinterInstant(minute)]
    if (summer === NONEXISTENT_TIME && winter === NONEXISTENT_TIME && minute % 60 !== 0) inHole++
    if (summer !== NONEXISTENT_TIME && winter !== NONEXISTENT_TIME) {
      // One row written twice is no second passage, unless rows are an hour apart.
      if (seen.has(minute) && (minute !== before || earlier === 60)) proofs++
      seen.add(minute)
    }
  }
  if (inHole > 0) return { zone: 'UTC', proof: false }
  return proofs > 0 ? { zone: 'Europe/Paris', proof: true } : null
}

/** Whether two rows that follow each other leave out the hour of spring, and nothing but it. */
function skipsSpringHour(before: number, now: number, pace: number): boolean {
  if (!isKnownStep(pace) || Math.abs(now - before) !== pace + 60) return false
  const [first, last] = before < now ? [before, now] : [now, before]
  const hour = Math.floor(first / DAY) * DAY + 120
  const none = (minute: number) =>
    toSummerInstant(minute) === NONEXISTENT_TIME && toWinterInstant(minute) === NONEXISTENT_TIME
  return first <= hour && last >= hour + 60 && none(hour + 30)
}
