import type { BetterKeyReport, KeyOutcome } from '@voisol/contract/insight-views'
import { addDays } from '@voisol/energy/calendar'
import type { KeyComparison } from '@voisol/energy/insights/better-key'
import { computeEnergyCents } from '@voisol/money/amounts'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { type EnergyPrices, loadEnergyPrices } from './energy-prices.ts'
import { getPointNames, listTransferableBuffers } from './find-insights.ts'
import { loadInsightData } from './insight-data.ts'
import { HELD_OUT_DAYS, KEY_COMPARISON_DAYS } from './key-rules.ts'

type ComputeDeps = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }
type ComparedKey = KeyComparison['current'] | KeyComparison['offers'][number]

const KEY_LABELS: Record<KeyOutcome['name'], string> = {
  current: 'Clé en vigueur',
  default: 'Au prorata des consommations',
  bounded: 'Parts fixes, entre la moitié et le double de la part de consommation',
  floor: 'Parts fixes, la plus faible couverture étant la plus haute possible',
}
const toWh = (wattMinutes: number) => Math.round(wattMinutes / 60)
const signedCents = (energy: number, price: number) =>
  energy < 0 ? -computeEnergyCents(-energy, price) : computeEnergyCents(energy, price)

/** A local kWh costs the local price instead of the supplier's. */
function computeMeanPrice(consumed: number, received: number, { local, supplier }: EnergyPrices): number | null {
  if (local === null || supplier === null || consumed === 0) return null
  return Math.round((received * local + (consumed - received) * supplier) / consumed)
}

type OutcomeContext = {
  names: Record<string, string>
  prices: EnergyPrices
  current: KeyComparison['current']
  proposed: string | null
}

function toKeyOutcome(comparedKey: ComparedKey, { names, prices, current, proposed }: OutcomeContext): KeyOutcome {
  const { local, surplus, supplier } = prices
  const before = new Map(current.members.map(({ id, received }) => [id, received]))
  const more = 'more' in comparedKey ? toWh(comparedKey.more) : 0
  return {
    name: comparedKey.name,
    label: KEY_LABELS[comparedKey.name],
    received: toWh(comparedKey.received),
    used: comparedKey.used,
    gini: comparedKey.gini,
    jain: comparedKey.jain,
    least: comparedKey.least,
    more,
    points: 'points' in comparedKey ? comparedKey.points : 0,
    positive: 'positive' in comparedKey ? comparedKey.positive : 0,
    cents: local === null || surplus === null ? null : signedCents(more, local) - signedCents(more, surplus),
    proposed: comparedKey.name === proposed,
    members: comparedKey.members.map(({ id, consumed, received, coverage }) => {
      const gained = toWh(received) - toWh(before.get(id) ?? 0)
      return {
        pointId: id,
        name: names[id] ?? id,
        consumed: toWh(consumed),
        received: toWh(received),
        coverage,
        price: computeMeanPrice(consumed, received, prices),
        cents: local === null || supplier === null ? null : signedCents(gained, supplier) - signedCents(gained, local),
        share: comparedKey.shares?.[id] ?? null,
      }
    }),
    envies: comparedKey.envies.map(([who, whose]) => ({ who: names[who] ?? who, whose: names[whose] ?? whose })),
  }
}

function buildNotes(usesAll: boolean, { local, surplus, supplier }: EnergyPrices): string[] {
  return [
    ...(usesAll
      ? [
          'La clé en vigueur partage déjà tout ce qui peut l’être à chaque pas\u00a0: une autre ne change que la part de chacun, pas le total.',
        ]
      : []),
    ...(local === null ? ['Aucun prix local général n’est en vigueur\u00a0: les gains restent en kWh.'] : []),
    ...(surplus === null ? ['Le prix de vente du surplus n’est pas renseigné.'] : []),
    ...(supplier === null
      ? ['Le prix du fournisseur n’est pas renseigné\u00a0: ce que chacun gagne n’est pas compté.']
      : []),
  ]
}

/** The current key beside better candidates: chosen without the last month, and judged on that month only. */
export async function loadKeyVote(
  { db, compute, signal }: ComputeDeps,
  actor: Actor,
  operationId: string,
): Promise<BetterKeyReport> {
  const operation = await requireVisibleOperation(db, actor, operationId)
  const { companyId } = actor
  const loaded = await loadInsightData(db, companyId, operationId, KEY_COMPARISON_DAYS)
  const prices = await loadEnergyPrices(db, companyId, operationId, getToday())
  const result =
    loaded &&
    (await compute(
      'insights.key',
      { scene: loaded.scene, prices },
      { companyId, signal, moved: listTransferableBuffers(loaded.scene) },
    ))
  if (!loaded || !result)
    throw fieldError('id', 'Il faut une clé adoptée, un producteur, deux consommateurs et cinq mois de relevés.')
  const { scene, input } = loaded
  const { comparison, proposed } = result
  const outcomeContext = { names: getPointNames(input), prices, current: comparison.current, proposed }
  const heldOutFrom = addDays(scene.to, -HELD_OUT_DAYS)
  return {
    operation: { id: operation.id, name: operation.name },
    method: input.keys.at(-1)?.version.method ?? null,
    usesAll: comparison.usesAll,
    chosenOn: { from: scene.from, to: heldOutFrom },
    heldOut: { from: heldOutFrom, to: scene.to },
    produced: toWh(comparison.produced),
    current: toKeyOutcome(comparison.current, outcomeContext),
    offers: comparison.offers.map((offer) => toKeyOutcome(offer, outcomeContext)),
    prices,
    notes: buildNotes(comparison.usesAll, prices),
  }
}
