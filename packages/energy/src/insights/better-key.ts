import { type AllocationInput, allocateEnergy, type KeySpan, type PointCurve } from '../kernel/allocate.ts'
import { sliceCurves, sliceSpans } from '../kernel/slices.ts'
import type { KeyMethod } from '../keys/keys.ts'
import { hashIntegers } from '../model/random.ts'
import { sumKnown } from '../series/series.ts'
import { computeGini, computeJainIndex, listEnvyPairs } from './fairness.ts'
import type { InsightFinding } from './finding.ts'
import { buildKeyOffers, type KeyOffer, type KeyOfferName } from './key-offers.ts'

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
export type MemberKeyOutcome = { id: string; consumed: number; received: number; coverage: number | null }
/** On the held-out month, in the unit of the curves. */
export type KeyEvaluationResult = {
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
export type KeyOfferOutcome = KeyEvaluationResult & { more: number; points: number; positive: number }
export type KeyComparison = {
  produced: number
  current: KeyEvaluationResult
  offers: KeyOfferOutcome[]
  usesAll: boolean
}
export type BetterKeyFinding = InsightFinding<
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
