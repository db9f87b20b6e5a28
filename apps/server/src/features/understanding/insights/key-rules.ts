import { addDays } from '@voisol/energy/calendar'
import { betterKey, compareKeys, type KeyComparison, sharesAll } from '@voisol/energy/insights/better-key'
import { joinsUnder } from '@voisol/energy/insights/joins-by-kernel'
import type { Joining } from '@voisol/energy/insights/joins-next'
import { loadWatts, PROFILES } from '@voisol/energy/model/profiles'
import type { Joiner } from './joiners.ts'
import { orNull, type Raw } from './numbers.ts'
import type { Known } from './prices.ts'
import type { Scene } from './scene.ts'
import { sidesOf } from './sharing.ts'

export const HELD_OUT = 30
export const LOOKED_AT = 150
const LEAST_YEARLY_CENTS = 5_000
/** Watt-minutes of a year that are worth what a vote is asked for. */
const yearlyFor = ({ local, surplus }: Known) =>
  local === null || surplus === null || local <= surplus
    ? Number.POSITIVE_INFINITY
    : ((LEAST_YEARLY_CENTS * 100) / (local - surplus)) * 1000 * 60

export function compared(scene: Scene): KeyComparison | null {
  const { producers, consumers, steps, keys } = sidesOf(scene, LOOKED_AT)
  const heldOut = steps - (HELD_OUT * 1440) / scene.step
  if (!producers.length || consumers.length < 2 || !keys.length || heldOut < steps / 2) return null
  return compareKeys({ steps, step: scene.step, heldOut, producers, consumers, current: keys })
}

/** The name of the offer that is worth a vote, if one is. */
export const proposal = (comparison: KeyComparison, prices: Known) => betterKey(comparison, yearlyFor(prices), HELD_OUT)

export function keyRule(scene: Scene, operationId: string, prices: Known, names: Record<string, string>): Raw[] {
  // Where all is shared already there is nothing to find, and much to compute.
  if (sharesAll(sidesOf(scene, LOOKED_AT).keys)) return []
  const comparison = compared(scene)
  const found = comparison && proposal(comparison, prices)
  if (!found) return []
  const { offer, current } = found.evidence
  const covers = (members: typeof offer.members) =>
    members.map(({ coverage }) => orNull(100 * (coverage ?? Number.NaN), 1))
  return [
    {
      rule: 'better-key',
      subjectKind: 'operation',
      subjectId: operationId,
      startsOn: addDays(scene.to, -HELD_OUT),
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
            { name: 'Couverture avec la clé en vigueur', values: covers(current.members) },
            { name: 'Couverture avec la clé proposée', values: covers(offer.members) },
          ],
        },
      },
    },
  ]
}

export const JOIN_DAYS = 150
const LEAST_PART = 0.05
const SHOWN = 10

/** Energies over the days: as measured where they are known, else those of the profile. */
function curveOf(
  { id, profile, yearlyKwh, values }: Joiner,
  { startsAt, step, steps }: Scene,
  length: number,
): Int32Array {
  if (values) return values.subarray(steps - length)
  const known = PROFILES.find((name) => name === profile) ?? 'household'
  const first = startsAt + (steps - length) * step
  return loadWatts(known, yearlyKwh, id, first, length, step).map((watts) => watts * step)
}

export function joining(scene: Scene, joiners: Joiner[]): Joining[] {
  const sides = sidesOf(scene, JOIN_DAYS)
  const candidates = joiners.map((one) => ({ id: one.id, consumption: curveOf(one, scene, sides.steps) }))
  return joinsUnder(sides, candidates)
}

/** Watt-hours that nobody of the operation used. */
export function surplusOf(scene: Scene): number {
  const { producers, consumers, steps } = sidesOf(scene, JOIN_DAYS)
  let left = 0
  for (let at = 0; at < steps; at++) {
    const made = producers.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
    const used = consumers.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
    left += Math.max(0, made - used)
  }
  return left / 60
}

export function joinRule(scene: Scene, operationId: string, joiners: Joiner[]): Raw[] {
  const ranked = joining(scene, joiners)
  const [first] = ranked
  const surplus = surplusOf(scene)
  const part = first && surplus > 0 ? first.more / 60 / surplus : 0
  if (!first || part < LEAST_PART) return []
  const names = new Map(joiners.map(({ id, name }) => [id, name]))
  const shown = ranked.slice(0, SHOWN)
  const kwh = (of: (one: Joining) => number) => shown.map((one) => orNull(of(one) / 60_000, 1))
  return [
    {
      rule: 'joins-next',
      subjectKind: 'operation',
      subjectId: operationId,
      startsOn: addDays(scene.to, -JOIN_DAYS),
      endsOn: scene.to,
      wh: Math.round(first.more / 60),
      confidence: 0.6,
      numbers: {
        statistic: part,
        threshold: LEAST_PART,
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
