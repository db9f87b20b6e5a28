import type { Project } from '@voisol/contract/projects'
import { type AllocationKey, WHOLE_SHARE } from '@voisol/energy/keys'

/** Millionths in proportion to the weights, adding up to the whole; equal when all weights are zero. */
export function splitProportionally(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const exact = weights.map((weight) => (sum > 0 ? weight / sum : 1 / weights.length) * WHOLE_SHARE)
  const shares = exact.map(Math.floor)
  const rest = WHOLE_SHARE - shares.reduce((total, share) => total + share, 0)
  const byRemainder = exact.map((value, at) => ({ at, part: value % 1 })).sort((a, b) => b.part - a.part || a.at - b.at)
  for (const { at } of byRemainder.slice(0, rest)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}

type WeightedConsumer = { id: string; weight: number }

/** The key of a study: fixed shares by yearly consumption, ranks by list order. */
export function buildStudyKey(method: Project['method'], consumers: WeightedConsumer[]): AllocationKey {
  if (method === 'default' || method === 'equal') return { method }
  if (method === 'priority') return { method, ranks: Object.fromEntries(consumers.map(({ id }, at) => [id, at + 1])) }
  const shares = splitProportionally(consumers.map(({ weight }) => weight))
  return { method, shares: Object.fromEntries(consumers.map(({ id }, at) => [id, shares[at] ?? 0])) }
}
