import { type Key, WHOLE } from '../keys/keys.ts'
import { proportionalShares } from '../keys/shares.ts'
import { bestStaticKey, type Member, type StaticKey } from './static-key.ts'

export const OFFERS = ['default', 'bounded', 'floor'] as const
/** The default key; the best static one within half and twice the part of consumption; the highest of the lowest coverages. */
export type OfferName = (typeof OFFERS)[number]
export type Offer = { name: OfferName; key: Key; shares: Record<string, number> | null }

const [LEAST, MOST] = [0.5, 2]
const sum = (values: ArrayLike<number>) => {
  let total = 0
  for (let at = 0; at < values.length; at++) total += Math.max(0, values[at] ?? 0)
  return total
}

/** The least coefficient under which a member receives this part of what it uses; above one where none does. */
function shareFor({ consumption }: Member, production: ArrayLike<number>, wanted: number): number {
  const received = (share: number) => {
    let got = 0
    for (let at = 0; at < production.length; at++)
      got += Math.min(Math.max(0, consumption[at] ?? 0), share * Math.max(0, production[at] ?? 0))
    return got
  }
  if (received(1) < wanted - 1e-9) return 2
  let [low, high] = [0, 1]
  for (let turn = 0; turn < 40; turn++) {
    const middle = (low + high) / 2
    if (received(middle) >= wanted) high = middle
    else low = middle
  }
  return high
}

/** Every member is given the highest coverage that all can have, then the rest goes where it is used the most. */
function floorKey(members: Member[], production: ArrayLike<number>): StaticKey | null {
  const sums = members.map(({ consumption }) => sum(consumption))
  const needed = (part: number) =>
    members.map((member, i) => (sums[i] === 0 ? 0 : shareFor(member, production, part * (sums[i] ?? 0))))
  let [low, high] = [0, 1]
  for (let turn = 0; turn < 16; turn++) {
    const middle = (low + high) / 2
    if (needed(middle).reduce((a, b) => a + b, 0) <= 1) low = middle
    else high = middle
  }
  const least = needed(low)
  return bestStaticKey(
    members.map((member, i) => ({ ...member, least: least[i] ?? 0 })),
    production,
  )
}

/** In millionths, never above one whole together. */
function keyOf(found: StaticKey): Key {
  const shares = Object.entries(found.shares).map(([id, share]): [string, number] => [id, Math.floor(share * WHOLE)])
  return { method: 'static', shares: Object.fromEntries(shares) }
}

/** What could be put to a vote, chosen on these steps alone. */
export function offersOn(members: Member[], production: ArrayLike<number>): Offer[] {
  const parts = proportionalShares(members.map(({ consumption }) => sum(consumption))).map((share) => share / WHOLE)
  const bounded = members.map((member, i) => {
    const part = parts[i] ?? 0
    return { ...member, least: LEAST * part, most: Math.min(1, MOST * part) }
  })
  const found: [OfferName, StaticKey | null][] = [
    ['bounded', bestStaticKey(bounded, production)],
    ['floor', floorKey(members, production)],
  ]
  return [
    { name: 'default', key: { method: 'default' }, shares: null },
    ...found.flatMap(([name, best]): Offer[] => (best ? [{ name, key: keyOf(best), shares: best.shares }] : [])),
  ]
}
