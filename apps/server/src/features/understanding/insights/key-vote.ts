import type { KeyOutcome, KeyVote } from '@voisol/contract/insight-views'
import { addDays } from '@voisol/energy/calendar'
import type { KeyComparison } from '@voisol/energy/insights/better-key'
import { energyCents } from '@voisol/money/amounts'
import { findOperation } from '../../../core/operation.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { namesOf } from './context.ts'
import { HELD_OUT, LOOKED_AT } from './key-rules.ts'
import { buffersOf } from './look.ts'
import { type Known, pricesOn } from './prices.ts'
import { sceneOf } from './scene.ts'

type Asking = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }
type Tried = KeyComparison['current'] | KeyComparison['offers'][number]

const LABELS: Record<KeyOutcome['name'], string> = {
  current: 'Clé en vigueur',
  default: 'Au prorata des consommations',
  bounded: 'Parts fixes, entre la moitié et le double de la part de consommation',
  floor: 'Parts fixes, la plus faible couverture étant la plus haute possible',
}
const wh = (wattMinutes: number) => Math.round(wattMinutes / 60)
const signed = (energy: number, price: number) =>
  energy < 0 ? -energyCents(-energy, price) : energyCents(energy, price)

/** A kWh that is received costs the local price instead of the supplier's. */
function priceOf(consumed: number, received: number, { local, supplier }: Known): number | null {
  if (local === null || supplier === null || consumed === 0) return null
  return Math.round((received * local + (consumed - received) * supplier) / consumed)
}

type Scale = {
  names: Record<string, string>
  prices: Known
  current: KeyComparison['current']
  proposed: string | null
}

function outcomeOf(tried: Tried, { names, prices, current, proposed }: Scale): KeyOutcome {
  const { local, surplus, supplier } = prices
  const before = new Map(current.members.map(({ id, received }) => [id, received]))
  const more = 'more' in tried ? wh(tried.more) : 0
  return {
    name: tried.name,
    label: LABELS[tried.name],
    received: wh(tried.received),
    used: tried.used,
    gini: tried.gini,
    jain: tried.jain,
    least: tried.least,
    more,
    points: 'points' in tried ? tried.points : 0,
    positive: 'positive' in tried ? tried.positive : 0,
    cents: local === null || surplus === null ? null : signed(more, local) - signed(more, surplus),
    proposed: tried.name === proposed,
    members: tried.members.map(({ id, consumed, received, coverage }) => {
      const gained = wh(received) - wh(before.get(id) ?? 0)
      return {
        pointId: id,
        name: names[id] ?? id,
        consumed: wh(consumed),
        received: wh(received),
        coverage,
        price: priceOf(consumed, received, prices),
        cents: local === null || supplier === null ? null : signed(gained, supplier) - signed(gained, local),
        share: tried.shares?.[id] ?? null,
      }
    }),
    envies: tried.envies.map(([who, whose]) => ({ who: names[who] ?? who, whose: names[whose] ?? whose })),
  }
}

function notesOf(usesAll: boolean, { local, surplus, supplier }: Known): string[] {
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

/** The key in force beside those that could be voted: chosen without the last month, judged on it alone. */
export async function keyVoteOf({ db, compute, signal }: Asking, actor: Actor, operationId: string): Promise<KeyVote> {
  const operation = await findOperation(db, actor, operationId)
  const { companyId } = actor
  const loaded = await sceneOf(db, companyId, operationId, LOOKED_AT)
  const prices = await pricesOn(db, companyId, operationId, today())
  const tried =
    loaded &&
    (await compute(
      'insights.key',
      { scene: loaded.scene, prices },
      { companyId, signal, moved: buffersOf(loaded.scene) },
    ))
  if (!loaded || !tried)
    throw fieldError('id', 'Il faut une clé adoptée, un producteur, deux consommateurs et cinq mois de relevés.')
  const { scene, input } = loaded
  const { comparison, proposed } = tried
  const scale = { names: namesOf(input), prices, current: comparison.current, proposed }
  const cut = addDays(scene.to, -HELD_OUT)
  return {
    operation: { id: operation.id, name: operation.name },
    method: input.keys.at(-1)?.version.method ?? null,
    usesAll: comparison.usesAll,
    chosenOn: { from: scene.from, to: cut },
    heldOut: { from: cut, to: scene.to },
    produced: wh(comparison.produced),
    current: outcomeOf(comparison.current, scale),
    offers: comparison.offers.map((offer) => outcomeOf(offer, scale)),
    prices,
    notes: notesOf(comparison.usesAll, prices),
  }
}
