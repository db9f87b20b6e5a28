import { type ConsumptionProfile, computeLoadWatts } from '@voisol/energy/model/profiles'
import type { TaskResult } from '../../../workers/task.ts'

type EstimateInput = { profile: ConsumptionProfile; yearlyKwh: number; startsAt: number; surplus: (number | null)[] }

const PROFILE_SEED = 'joining'
const HOUR_MINUTES = 60

/**
 * Watt-hours that the profile would have consumed in the known hours, and how much of them the surplus would have
 * covered.
 */
function computeReceivedShare({ profile, yearlyKwh, startsAt, surplus }: EstimateInput): {
  consumed: number
  received: number
} {
  const load = computeLoadWatts(profile, yearlyKwh, PROFILE_SEED, startsAt, surplus.length, HOUR_MINUTES)
  let [consumed, received] = [0, 0]
  for (const [at, left] of surplus.entries()) {
    if (left === null) continue
    const drawn = load[at] ?? 0
    consumed += drawn
    received += Math.min(drawn, Math.max(0, Math.floor(left)))
  }
  return { consumed, received }
}

export default function estimate(work: EstimateInput): TaskResult<{ consumed: number; received: number }> {
  return { value: computeReceivedShare(work) }
}
