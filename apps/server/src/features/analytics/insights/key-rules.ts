import { addDays } from '@voisol/energy/calendar'
import { compareKeys, findBetterKey, type KeyComparison, sharesAllProduction } from '@voisol/energy/insights/better-key'
import { type CandidateGain, rankCandidatesByKernel } from '@voisol/energy/insights/join-candidates'
import { CONSUMPTION_PROFILES, computeLoadWatts } from '@voisol/energy/model/profiles'
import type { EnergyPrices } from './energy-prices.ts'
import { type RuleFinding, roundOrNull } from './finding-numbers.ts'
import { sliceAllocationSides } from './insight-curves.ts'
import type { InsightData, StoredCandidate } from './insight-data.ts'

export const HELD_OUT_DAYS = 30
export const KEY_COMPARISON_DAYS = 150
const MIN_YEARLY_GAIN_CENTS = 5_000
/** The minimum yearly gain, in watt-minutes, that justifies a vote. */
const getMinYearlyGain = ({ local, surplus }: EnergyPrices) =>
  local === null || surplus === null || local <= surplus
    ? Number.POSITIVE_INFINITY
    : ((MIN_YEARLY_GAIN_CENTS * 100) / (local - surplus)) * 1000 * 60

export function compareCurrentKey(scene: InsightData): KeyComparison | null {
  const { producers, consumers, steps, keys } = sliceAllocationSides(scene, KEY_COMPARISON_DAYS)
  const heldOut = steps - (HELD_OUT_DAYS * 1440) / scene.step
  if (!producers.length || consumers.length < 2 || !keys.length || heldOut < steps / 2) return null
  return compareKeys({ steps, step: scene.step, heldOut, producers, consumers, current: keys })
}

/** The key worth a vote, if there is one. */
export const findKeyProposal = (comparison: KeyComparison, prices: EnergyPrices) =>
  findBetterKey(comparison, getMinYearlyGain(prices), HELD_OUT_DAYS)

export function findBetterKeyInsights(
  scene: InsightData,
  operationId: string,
  prices: EnergyPrices,
  names: Record<string, string>,
): RuleFinding[] {
  // When everything is shared already, no key can be better and the computation is skipped.
  if (sharesAllProduction(sliceAllocationSides(scene, KEY_COMPARISON_DAYS).keys)) return []
  const comparison = compareCurrentKey(scene)
  const found = comparison && findKeyProposal(comparison, prices)
  if (!found) return []
  const { offer, current } = found.evidence
  const toCoverages = (members: typeof offer.members) =>
    members.map(({ coverage }) => roundOrNull(100 * (coverage ?? Number.NaN), 1))
  return [
    {
      rule: 'better-key',
      subjectKind: 'operation',
      subjectId: operationId,
      startsOn: addDays(scene.to, -HELD_OUT_DAYS),
      endsOn: scene.to,
      wh: Math.round(offer.more / 60),
      confidence: found.confidence,
      numbers: {
        statistic: found.statistic,
        threshold: found.threshold,
        worth: 'gap',
        facts: {
          offer: offer.name,
          points: offer.points,
          positive: offer.positive,
          used: current.used,
          proposed: offer.used,
        },
        evidence: {
          axis: 'name',
          unit: '%',
          labels: current.members.map(({ id }) => names[id] ?? id),
          series: [
            { name: 'Couverture avec la clé en vigueur', values: toCoverages(current.members) },
            { name: 'Couverture avec la clé proposée', values: toCoverages(offer.members) },
          ],
        },
      },
    },
  ]
}

export const JOIN_COMPARISON_DAYS = 150
const MIN_SURPLUS_SHARE = 0.05
const MAX_SHOWN_CANDIDATES = 10

/** Energies over the days: measured when known, otherwise the profile's. */
function buildCandidateCurve(
  { id, profile, yearlyKwh, values }: StoredCandidate,
  { startsAt, step, steps }: InsightData,
  length: number,
): Int32Array {
  if (values) return values.subarray(steps - length)
  const known = CONSUMPTION_PROFILES.find((name) => name === profile) ?? 'household'
  const first = startsAt + (steps - length) * step
  return computeLoadWatts(known, yearlyKwh, id, first, length, step).map((watts) => watts * step)
}

export function findCandidatesToJoin(scene: InsightData, joiners: StoredCandidate[]): CandidateGain[] {
  const sides = sliceAllocationSides(scene, JOIN_COMPARISON_DAYS)
  const candidates = joiners.map((one) => ({ id: one.id, consumption: buildCandidateCurve(one, scene, sides.steps) }))
  return rankCandidatesByKernel(sides, candidates)
}

/** Watt-hours that no member used. */
export function computeUnusedSurplusWh(scene: InsightData): number {
  const { producers, consumers, steps } = sliceAllocationSides(scene, JOIN_COMPARISON_DAYS)
  let unused = 0
  for (let at = 0; at < steps; at++) {
    const produced = producers.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
    const consumed = consumers.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
    unused += Math.max(0, produced - consumed)
  }
  return unused / 60
}

export function findJoinInsights(scene: InsightData, operationId: string, joiners: StoredCandidate[]): RuleFinding[] {
  const ranked = findCandidatesToJoin(scene, joiners)
  const [first] = ranked
  const surplus = computeUnusedSurplusWh(scene)
  const part = first && surplus > 0 ? first.more / 60 / surplus : 0
  if (!first || part < MIN_SURPLUS_SHARE) return []
  const names = new Map(joiners.map(({ id, name }) => [id, name]))
  const shown = ranked.slice(0, MAX_SHOWN_CANDIDATES)
  const kwh = (of: (one: CandidateGain) => number) => shown.map((one) => roundOrNull(of(one) / 60_000, 1))
  return [
    {
      rule: 'joins-next',
      subjectKind: 'operation',
      subjectId: operationId,
      startsOn: addDays(scene.to, -JOIN_COMPARISON_DAYS),
      endsOn: scene.to,
      wh: Math.round(first.more / 60),
      confidence: 0.6,
      numbers: {
        statistic: part,
        threshold: MIN_SURPLUS_SHARE,
        worth: 'gap',
        facts: { name: names.get(first.id) ?? '', surplus: Math.round(surplus), count: ranked.length },
        evidence: {
          axis: 'name',
          unit: 'kWh',
          labels: shown.map(({ id }) => names.get(id) ?? ''),
          series: [
            { name: 'Utilisé en plus par l’opération', values: kwh(({ more }) => more) },
            { name: 'Reçu en moins par les membres', values: kwh(({ dilution }) => dilution) },
          ],
        },
      },
    },
  ]
}
