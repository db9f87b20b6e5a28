import type { Joins } from '@voisol/contract/insight-views'
import { addDays } from '@voisol/energy/calendar'
import { PROFILE_LABELS, PROFILES } from '@voisol/energy/model/profiles'
import { energyCents } from '@voisol/money/amounts'
import { findOperation } from '../../../core/operation.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { type Joiner, joinersOf } from './joiners.ts'
import { JOIN_DAYS } from './key-rules.ts'
import { buffersOf } from './look.ts'
import { pricesOn } from './prices.ts'
import { sceneOf } from './scene.ts'

type Asking = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }

/** Every profile at the same yearly consumption: what tells them apart is when, not how much. */
const SAME_KWH = 10_000
const profiles: Joiner[] = PROFILES.map((profile) => ({
  id: profile,
  name: PROFILE_LABELS[profile],
  project: '',
  profile,
  yearlyKwh: SAME_KWH,
  values: null,
}))

const wh = (wattMinutes: number) => Math.round(wattMinutes / 60)
const signed = (energy: number, price: number) =>
  energy < 0 ? -energyCents(-energy, price) : energyCents(energy, price)

/** Who would use most of what is left: the projects' candidates, and each profile at 10 000 kWh a year. */
export async function joinsOf({ db, compute, signal }: Asking, actor: Actor, operationId: string): Promise<Joins> {
  await findOperation(db, actor, operationId)
  const { companyId } = actor
  const loaded = await sceneOf(db, companyId, operationId, JOIN_DAYS)
  if (!loaded) throw fieldError('id', 'Aucun relevé de cette opération n’est encore connu.')
  const { scene } = loaded
  const joiners = [...(await joinersOf(db, companyId, scene)), ...profiles]
  const { local, surplus, supplier } = await pricesOn(db, companyId, operationId, today())
  const tried = await compute('insights.joins', { scene, joiners }, { companyId, signal, moved: buffersOf(scene) })
  const known = new Map(joiners.map((one) => [one.id, one]))
  return {
    from: addDays(scene.to, -JOIN_DAYS),
    to: scene.to,
    surplus: Math.round(tried.surplus),
    items: tried.ranked.flatMap(({ id, more, candidate, dilution }) => {
      const one = known.get(id)
      if (!one) return []
      const [used, received] = [wh(more), wh(candidate)]
      return [
        {
          name: one.name,
          kind: one.project === '' ? ('profile' as const) : one.values ? ('measured' as const) : ('candidate' as const),
          project: one.project,
          yearlyKwh: one.yearlyKwh,
          more: used,
          received,
          dilution: wh(dilution),
          community: local === null || surplus === null ? null : signed(used, local) - signed(used, surplus),
          saving: local === null || supplier === null ? null : signed(received, supplier) - signed(received, local),
        },
      ]
    }),
    notes: [
      ...(tried.surplus === 0
        ? ['Tout ce qui a été produit a été consommé\u00a0: personne n’utiliserait davantage.']
        : []),
      ...(local === null || surplus === null || supplier === null
        ? ['Un prix n’est pas renseigné\u00a0: certains gains restent en kWh.']
        : []),
      'Un profil est une forme type à 10\u00a0000\u00a0kWh par an, non une personne.',
    ],
  }
}
