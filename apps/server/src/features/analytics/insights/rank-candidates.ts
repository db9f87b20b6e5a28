import type { JoinCandidates } from '@voisol/contract/insight-views'
import { addDays } from '@voisol/energy/calendar'
import { CONSUMPTION_PROFILE_LABELS, CONSUMPTION_PROFILES } from '@voisol/energy/model/profiles'
import { computeEnergyCents } from '@voisol/money/amounts'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadEnergyPrices } from './energy-prices.ts'
import { listTransferableBuffers } from './find-insights.ts'
import { listJoinCandidates, loadInsightData, type StoredCandidate } from './insight-data.ts'
import { JOIN_COMPARISON_DAYS } from './key-rules.ts'

type ComputeDeps = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }

/** All profiles at the same yearly consumption, so that only the time of use differs. */
const PROFILE_YEARLY_KWH = 10_000
const PROFILE_CANDIDATES: StoredCandidate[] = CONSUMPTION_PROFILES.map((profile) => ({
  id: profile,
  name: CONSUMPTION_PROFILE_LABELS[profile],
  project: '',
  profile,
  yearlyKwh: PROFILE_YEARLY_KWH,
  values: null,
}))

const toWh = (wattMinutes: number) => Math.round(wattMinutes / 60)
const signedCents = (energy: number, price: number) =>
  energy < 0 ? -computeEnergyCents(-energy, price) : computeEnergyCents(energy, price)

/** Ranks who would use most of the surplus: the projects' candidates, and each profile at 10 000 kWh a year. */
export async function rankJoinCandidates(
  { db, compute, signal }: ComputeDeps,
  actor: Actor,
  operationId: string,
): Promise<JoinCandidates> {
  await requireVisibleOperation(db, actor, operationId)
  const { companyId } = actor
  const loaded = await loadInsightData(db, companyId, operationId, JOIN_COMPARISON_DAYS)
  if (!loaded) throw fieldError('id', 'Aucun relevé de cette opération n’est encore connu.')
  const { scene } = loaded
  const candidates = [...(await listJoinCandidates(db, companyId, scene)), ...PROFILE_CANDIDATES]
  const { local, surplus, supplier } = await loadEnergyPrices(db, companyId, operationId, getToday())
  const ranking = await compute(
    'insights.joins',
    { scene, joiners: candidates },
    { companyId, signal, moved: listTransferableBuffers(scene) },
  )
  const candidatesById = new Map(candidates.map((one) => [one.id, one]))
  return {
    from: addDays(scene.to, -JOIN_COMPARISON_DAYS),
    to: scene.to,
    surplus: Math.round(ranking.surplus),
    items: ranking.ranked.flatMap(({ id, more, candidate, dilution }) => {
      const one = candidatesById.get(id)
      if (!one) return []
      const [used, received] = [toWh(more), toWh(candidate)]
      return [
        {
          name: one.name,
          kind: one.project === '' ? ('profile' as const) : one.values ? ('measured' as const) : ('candidate' as const),
          project: one.project,
          yearlyKwh: one.yearlyKwh,
          more: used,
          received,
          dilution: toWh(dilution),
          community: local === null || surplus === null ? null : signedCents(used, local) - signedCents(used, surplus),
          saving:
            local === null || supplier === null ? null : signedCents(received, supplier) - signedCents(received, local),
        },
      ]
    }),
    notes: [
      ...(ranking.surplus === 0
        ? ['Tout ce qui a été produit a été consommé\u00a0: personne n’utiliserait davantage.']
        : []),
      ...(local === null || surplus === null || supplier === null
        ? ['Un prix n’est pas renseigné\u00a0: certains gains restent en kWh.']
        : []),
      'Un profil est une forme type à 10\u00a0000\u00a0kWh par an, non une personne.',
    ],
  }
}
