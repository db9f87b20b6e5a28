import { isStep } from './codes.ts'
import { constantOffset, NOWHERE, summerOf, winterOf } from './instants.ts'
import type { Zone } from './types.ts'

const DAY = 1440
export type Evidence = { zone: Zone; proof: boolean } | null

/**
 * What the wall clock itself says on the two days that change it. An hour that comes twice in autumn, or that is skipped in
 * spring between rows that otherwise follow each other, is Paris and nothing else. A time inside the hour that spring skips
 * is not the clock of Paris, or a row too many: which of the two, only a person knows.
 */
export function zoneEvidence(local: Int32Array, length: number): Evidence {
  let inHole = 0
  let told = 0
  const seen = new Set<number>()
  let day = NOWHERE
  let constant = true
  let pace = 0
  for (let at = 0; at < length; at++) {
    const minute = local[at] ?? 0
    const before = local[at - 1] ?? minute
    const earlier = pace
    if (at > 0 && skips(before, minute, earlier)) told++
    pace = Math.abs(minute - before)
    const dayOfMinute = Math.floor(minute / DAY)
    if (dayOfMinute !== day) {
      day = dayOfMinute
      constant = constantOffset(day) !== null
    }
    if (constant) continue
    const [summer, winter] = [summerOf(minute), winterOf(minute)]
    if (summer === NOWHERE && winter === NOWHERE && minute % 60 !== 0) inHole++
    if (summer !== NOWHERE && winter !== NOWHERE) {
      // One row written twice is no second passage, unless rows are an hour apart.
      if (seen.has(minute) && (minute !== before || earlier === 60)) told++
      seen.add(minute)
    }
  }
  if (inHole > 0) return { zone: 'UTC', proof: false }
  return told > 0 ? { zone: 'Europe/Paris', proof: true } : null
}

/** Whether two rows that follow each other leave out the hour of spring, and nothing but it. */
function skips(before: number, now: number, pace: number): boolean {
  if (!isStep(pace) || Math.abs(now - before) !== pace + 60) return false
  const [first, last] = before < now ? [before, now] : [now, before]
  const hour = Math.floor(first / DAY) * DAY + 120
  const none = (minute: number) => summerOf(minute) === NOWHERE && winterOf(minute) === NOWHERE
  return first <= hour && last >= hour + 60 && none(hour + 30)
}
