import { loadWatts, type Profile } from '@voisol/energy/model/profiles'
import type { Answer } from '../../../compute/task.ts'

type Work = { profile: Profile; yearlyKwh: number; startsAt: number; surplus: (number | null)[] }

const SEED = 'joining'
const HOUR = 60

/** Watt-hours that a consumer would have drawn over the hours that are known, and what of them was left for it. */
export function shareOf({ profile, yearlyKwh, startsAt, surplus }: Work): { consumed: number; received: number } {
  const load = loadWatts(profile, yearlyKwh, SEED, startsAt, surplus.length, HOUR)
  let [consumed, received] = [0, 0]
  for (const [at, left] of surplus.entries()) {
    if (left === null) continue
    const drawn = load[at] ?? 0
    consumed += drawn
    received += Math.min(drawn, Math.max(0, Math.floor(left)))
  }
  return { consumed, received }
}

export default function estimate(work: Work): Answer<{ consumed: number; received: number }> {
  return { value: shareOf(work) }
}
