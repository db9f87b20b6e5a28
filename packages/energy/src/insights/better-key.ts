import { type AllocationInput, allocateEnergy, type KeySpan, type PointCurve } from '../kernel/allocate.ts'
import { sliceCurves, sliceSpans } from '../kernel/allocation-input.ts'
import { type AllocationKey, computeProportionalShares, type KeyMethod, WHOLE_SHARE } from '../keys/keys.ts'
import { hashIntegers } from '../model/random.ts'
import { sumKnown } from '../series/series.ts'
import type { InsightFinding } from './finding.ts'
import { computeBestStaticKey, type StaticKeyMember, type StaticKeyResult } from './static-key.ts'

/**
 * Energies as the allocation kernel takes them; the last month, from step `heldOut` on, is used only to judge the keys.
 */
export type CompareKeysInput = {
  steps: number
  step: number
  heldOut: number
  producers: PointCurve[]
  consumers: PointCurve[]
  current: KeySpan[]
}
type MemberKeyOutcome = { id: string; consumed: number; received: number; coverage: number | null }
/** On the held-out month, in the unit of the curves. */
type KeyEvaluationResult = {
  name: KeyOfferName | 'current'
  received: number
  /** Part of the production that was used. */
  used: number
  gini: number
  jain: number
  least: number
  members: MemberKeyOutcome[]
  envies: [string, string][]
  shares: Record<string, number> | null
}
/**
 * `positive`: in how many of ten resamplings of the weeks the gain is above zero; `more`: use beyond the key in force.
 */
type KeyOfferOutcome = KeyEvaluationResult & { more: number; points: number; positive: number }
export type KeyComparison = {
  produced: number
  current: KeyEvaluationResult
  offers: KeyOfferOutcome[]
  usesAll: boolean
}
type BetterKeyFinding = InsightFinding<
  'better-key',
  { offer: KeyOfferOutcome; current: KeyEvaluationResult; produced: number }
>

/** These keys share all that can be shared: choosing another changes only fairness and prices. */
const FULL_SHARING_METHODS: readonly KeyMethod[] = ['default', 'equal', 'priority']
export const sharesAllProduction = (keys: KeySpan[]) =>
  keys.length > 0 && keys.every(({ key }) => FULL_SHARING_METHODS.includes(key.method))
const RESAMPLINGS = 10
const MIN_POSITIVE_RESAMPLINGS = 9
const MIN_GAIN_SHARE = 0.01

type KeyEvaluation = { outcome: KeyEvaluationResult; weeks: number[] }

function evaluateKey(
  name: KeyEvaluationResult['name'],
  input: AllocationInput,
  perWeek: number,
  offer?: KeyOffer,
): KeyEvaluation {
  const { allocated, consumed, produced } = allocateEnergy(input)
  const members = input.consumers.map(({ id }, i): MemberKeyOutcome => {
    const [drawn, got] = [sumKnown(consumed[i] ?? new Int32Array()), sumKnown(allocated[i] ?? new Int32Array())]
    return { id, consumed: drawn, received: got, coverage: drawn > 0 ? got / drawn : null }
  })
  const made = produced.reduce((sum, values) => sum + sumKnown(values), 0)
  const received = members.reduce((sum, member) => sum + member.received, 0)
  const covers = members.flatMap(({ coverage }) => coverage ?? [])
  const weeks = Array.from({ length: Math.max(1, Math.floor(input.steps / perWeek)) }, (_, week) => {
    return allocated.reduce((sum, values) => sum + sumKnown(values.subarray(week * perWeek, (week + 1) * perWeek)), 0)
  })
  const pool = sumProduction(input.producers, input.steps)
  const outcome: KeyEvaluationResult = {
    name,
    received,
    used: made > 0 ? received / made : 0,
    gini: computeGini(covers),
    jain: computeJainIndex(covers),
    least: covers.length > 0 ? Math.min(...covers) : 0,
    members,
    envies: offer?.shares
      ? listEnvyPairs(
          input.consumers.map(({ id, values }) => ({ id, consumption: values })),
          pool,
          offer.shares,
        )
      : [],
    shares: offer?.shares ?? null,
  }
  return { outcome, weeks }
}

/** Production of all plants at each step; unknown where one of them is. */
export function sumProduction(producers: PointCurve[], steps: number): Float64Array {
  return Float64Array.from({ length: steps }, (_, at) =>
    producers.reduce((sum, { values }) => {
      const value = values[at] ?? 0
      return sum < 0 || value < 0 ? -1 : sum + value
    }, 0),
  )
}

/** Sums of `parts` steps; unknown where one of them is. */
function sumByParts(values: ArrayLike<number>, parts: number): Float64Array {
  return Float64Array.from({ length: Math.floor(values.length / parts) }, (_, at) => {
    let sum = 0
    for (let part = at * parts; part < (at + 1) * parts && sum >= 0; part++)
      sum = (values[part] ?? -1) < 0 ? -1 : sum + (values[part] ?? 0)
    return sum
  })
}

/** Of ten random draws of as many weeks, the number whose sum is above zero. */
function countPositiveResamplings(weeks: number[]): number {
  let positive = 0
  for (let draw = 0; draw < RESAMPLINGS; draw++) {
    let sum = 0
    for (let at = 0; at < weeks.length; at++) sum += weeks[hashIntegers(17, draw, at) % weeks.length] ?? 0
    if (sum > 0) positive++
  }
  return positive
}

/**
 * Chooses on the steps before the held-out month and computes, by the kernel, what each key would have given in that
 * month.
 */
export function compareKeys({ steps, step, heldOut, producers, consumers, current }: CompareKeysInput): KeyComparison {
  const perWeek = (7 * 1440) / step
  const chosenOn = sliceCurves(consumers, 0, heldOut)
  const pool = sumProduction(sliceCurves(producers, 0, heldOut), heldOut)
  // Coefficients are chosen by the hour, for speed; what they give is judged at the step of the meter.
  const parts = Math.max(1, 60 / step)
  const offers = buildKeyOffers(
    chosenOn.map(({ id, values }) => ({ id, consumption: sumByParts(values, parts) })),
    sumByParts(pool, parts),
  )
  const length = steps - heldOut
  const month = {
    steps: length,
    producers: sliceCurves(producers, heldOut, steps),
    consumers: sliceCurves(consumers, heldOut, steps),
  }
  const now = evaluateKey('current', { ...month, keys: sliceSpans(current, heldOut, steps) }, perWeek)
  const produced = sumProduction(month.producers, length).reduce((sum, value) => sum + Math.max(0, value), 0)
  return {
    produced,
    current: now.outcome,
    usesAll: sharesAllProduction(current),
    offers: offers.map((offer) => {
      const tried = evaluateKey(
        offer.name,
        { ...month, keys: [{ from: 0, to: length, key: offer.key }] },
        perWeek,
        offer,
      )
      const more = tried.outcome.received - now.outcome.received
      const gains = tried.weeks.map((week, at) => week - (now.weeks[at] ?? 0))
      return {
        ...tried.outcome,
        more,
        points: produced > 0 ? more / produced : 0,
        positive: countPositiveResamplings(gains),
      }
    }),
  }
}

/**
 * The proposal worth a vote: a gain of one point, or of `leastYearly` in a year (in the unit of the curves), in the
 * held-out month, and above zero in nine of ten resamplings.
 */
export function findBetterKey(comparison: KeyComparison, leastYearly: number, days: number): BetterKeyFinding | null {
  const { produced, current, usesAll } = comparison
  const worth = ({ more, points, positive }: KeyOfferOutcome) =>
    more > 0 && positive >= MIN_POSITIVE_RESAMPLINGS && (points >= MIN_GAIN_SHARE || (more * 365) / days >= leastYearly)
  const [offer] = comparison.offers.filter(worth).sort((a, b) => b.more - a.more)
  if (!offer || usesAll) return null
  return {
    rule: 'better-key',
    statistic: offer.points,
    threshold: MIN_GAIN_SHARE,
    confidence: offer.positive / RESAMPLINGS - 0.05,
    evidence: { offer, current, produced },
  }
}

const KEY_OFFER_NAMES = ['default', 'bounded', 'floor'] as const
/**
 * The default key; the best static key with shares between half and twice the part of consumption; the key with the
 * highest minimum coverage.
 */
type KeyOfferName = (typeof KEY_OFFER_NAMES)[number]
type KeyOffer = { name: KeyOfferName; key: AllocationKey; shares: Record<string, number> | null }

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
  const computeNeed = (part: number) =>
    filled.map((member, i) => (sums[i] === 0 ? 0 : findShareFor(member, part * (sums[i] ?? 0))))
  let [low, high] = [0, 1]
  for (let turn = 0; turn < 16; turn++) {
    const middle = (low + high) / 2
    if (computeNeed(middle).reduce((a, b) => a + b, 0) <= 1) low = middle
    else high = middle
  }
  const least = computeNeed(low)
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
function buildKeyOffers(members: StaticKeyMember[], production: ArrayLike<number>): KeyOffer[] {
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

/** 0: all equal; towards 1: one member has everything. */
export function computeGini(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const whole = sorted.reduce((sum, value) => sum + value, 0)
  if (whole <= 0) return 0
  const ranked = sorted.reduce((sum, value, at) => sum + (2 * (at + 1) - sorted.length - 1) * value, 0)
  return ranked / (sorted.length * whole)
}

/** 1: all equal; 1/n: one member has everything. */
export function computeJainIndex(values: ArrayLike<number>): number {
  const all = Float64Array.from(values)
  const sum = all.reduce((total, value) => total + value, 0)
  const squares = all.reduce((total, value) => total + value * value, 0)
  return squares > 0 ? (sum * sum) / (all.length * squares) : 1
}

const ENVY_RATIO = 1.05

/** Pairs [who, whose]: with the coefficient of the other, a member would have received over 5 % more. */
export function listEnvyPairs(
  members: { id: string; consumption: ArrayLike<number> }[],
  production: ArrayLike<number>,
  shares: Record<string, number>,
): [string, string][] {
  const received = (consumption: ArrayLike<number>, share: number) => {
    let sum = 0
    for (let at = 0; at < production.length; at++)
      sum += Math.min(Math.max(0, consumption[at] ?? 0), share * Math.max(0, production[at] ?? 0))
    return sum
  }
  return members.flatMap(({ id, consumption }) => {
    const own = received(consumption, shares[id] ?? 0)
    return members
      .filter((other) => other.id !== id && received(consumption, shares[other.id] ?? 0) > ENVY_RATIO * own)
      .map((other): [string, string] => [id, other.id])
  })
}
