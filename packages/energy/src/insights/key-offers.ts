import { type AllocationKey, WHOLE_SHARE } from '../keys/keys.ts'
import { computeProportionalShares } from '../keys/shares.ts'
import { computeBestStaticKey, type StaticKeyMember, type StaticKeyResult } from './static-key.ts'

export const KEY_OFFER_NAMES = ['default', 'bounded', 'floor'] as const
/**
 * The default key; the best static key with shares between half and twice the part of consumption; the key with the
 * highest minimum coverage.
 */
export type KeyOfferName = (typeof KEY_OFFER_NAMES)[number]
export type KeyOffer = { name: KeyOfferName; key: AllocationKey; shares: Record<string, number> | null }

const [MIN_SHARE_RATIO, MAX_SHARE_RATIO] = [0.5, 2]
const sumPositive = (values: ArrayLike<number>) => {
  let total = 0
  for (let at = 0; at < values.length; at++) total += Math.max(0, values[at] ?? 0)
  return total
}

type FillCurve = { ratios: Float64Array; used: Float64Array; made: Float64Array }

/** Steps sorted by the coefficient at which they are filled: use so far, and production of the other steps. */
function computeFillCurve({ consumption }: StaticKeyMember, production: ArrayLike<number>): FillCurve {
  const steps = Array.from({ length: production.length }, (_, at) => at).filter((at) => (production[at] ?? 0) > 0)
  const ratioAt = (at: number) => Math.max(0, consumption[at] ?? 0) / (production[at] ?? 1)
  const order = Float64Array.from(steps, ratioAt)
  const sorted = steps.map((_, at) => at).sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0))
  const [used, made] = [new Float64Array(steps.length + 1), new Float64Array(steps.length + 1)]
  for (const [at, from] of sorted.entries())
    used[at + 1] = (used[at] ?? 0) + Math.max(0, consumption[steps[from] ?? 0] ?? 0)
  for (let at = steps.length - 1; at >= 0; at--)
    made[at] = (made[at + 1] ?? 0) + (production[steps[sorted[at] ?? 0] ?? 0] ?? 0)
  return { ratios: Float64Array.from(sorted, (from) => order[from] ?? 0), used, made }
}

/** The smallest coefficient with which a member receives that much; above one where none does. */
function findShareFor({ ratios, used, made }: FillCurve, wanted: number): number {
  let [low, high] = [0, ratios.length]
  // Finds the first step not yet filled when that much is received.
  while (low < high) {
    const middle = (low + high) >> 1
    if ((used[middle] ?? 0) + (ratios[middle] ?? 0) * (made[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  if (low === ratios.length) return (used[low] ?? 0) >= wanted ? (ratios.at(-1) ?? 0) : 2
  const share = (wanted - (used[low] ?? 0)) / Math.max(1e-12, made[low] ?? 0)
  return share > 1 ? 2 : Math.max(0, share)
}

/** Every member gets the highest coverage that all can have, then the rest goes where most of it is used. */
function computeFloorKey(members: StaticKeyMember[], production: ArrayLike<number>): StaticKeyResult | null {
  const sums = members.map(({ consumption }) => sumPositive(consumption))
  const filled = members.map((member) => computeFillCurve(member, production))
  const needed = (part: number) =>
    filled.map((member, i) => (sums[i] === 0 ? 0 : findShareFor(member, part * (sums[i] ?? 0))))
  let [low, high] = [0, 1]
  for (let turn = 0; turn < 16; turn++) {
    const middle = (low + high) / 2
    if (needed(middle).reduce((a, b) => a + b, 0) <= 1) low = middle
    else high = middle
  }
  const least = needed(low)
  return computeBestStaticKey(
    members.map((member, i) => ({ ...member, least: least[i] ?? 0 })),
    production,
  )
}

/** In millionths, with a sum that never exceeds one. */
function toKey(found: StaticKeyResult): AllocationKey {
  const shares = Object.entries(found.shares).map(([id, share]): [string, number] => [
    id,
    Math.floor(share * WHOLE_SHARE),
  ])
  return { method: 'static', shares: Object.fromEntries(shares) }
}

/** The keys that could be put to a vote, chosen on these steps alone. */
export function buildKeyOffers(members: StaticKeyMember[], production: ArrayLike<number>): KeyOffer[] {
  const parts = computeProportionalShares(members.map(({ consumption }) => sumPositive(consumption))).map(
    (share) => share / WHOLE_SHARE,
  )
  const bounded = members.map((member, i) => {
    const part = parts[i] ?? 0
    return { ...member, least: MIN_SHARE_RATIO * part, most: Math.min(1, MAX_SHARE_RATIO * part) }
  })
  const found: [KeyOfferName, StaticKeyResult | null][] = [
    ['bounded', computeBestStaticKey(bounded, production)],
    ['floor', computeFloorKey(members, production)],
  ]
  return [
    { name: 'default', key: { method: 'default' }, shares: null },
    ...found.flatMap(([name, best]): KeyOffer[] => (best ? [{ name, key: toKey(best), shares: best.shares }] : [])),
  ]
}
