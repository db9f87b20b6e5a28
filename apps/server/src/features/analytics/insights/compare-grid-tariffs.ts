import type { GridTariffs } from '@voisol/contract/insight-views'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getPointNames, INSIGHT_HISTORY_DAYS, listTransferableBuffers, loadSubscribedKvas } from './find-insights.ts'
import { computeCollectiveGain, getOptionCents } from './grid-tariff-rule.ts'
import { loadInsightData } from './insight-data.ts'

type ComputeDeps = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }

/** The cost of each grid tariff option for each consumer up to 36 kVA, over its own year. */
export async function compareGridTariffs(
  { db, compute, signal }: ComputeDeps,
  actor: Actor,
  operationId: string,
): Promise<GridTariffs> {
  await requireVisibleOperation(db, actor, operationId)
  const { companyId } = actor
  const loaded = await loadInsightData(db, companyId, operationId, INSIGHT_HISTORY_DAYS)
  if (!loaded) throw fieldError('id', 'Aucun relevé de cette opération n’est encore connu.')
  const { scene, input } = loaded
  const consumers = scene.points.filter(({ role }) => role === 'consumer').map(({ id }) => id)
  const kvas = await loadSubscribedKvas(db, companyId, consumers)
  const taskInput = { scene, kvas, calendar: input.calendar }
  const costs = await compute('insights.grid', taskInput, { companyId, signal, moved: listTransferableBuffers(scene) })
  const names = getPointNames(input)
  const skippedCount = consumers.length - costs.length
  return {
    from: scene.from,
    to: scene.to,
    source: 'TURPE\u00a07, basse tension jusqu’à 36\u00a0kVA, au 1er août 2025, hors taxes',
    items: costs
      .map((one) => ({
        pointId: one.id,
        name: names[one.id] ?? one.id,
        kva: one.kva,
        days: one.days,
        options: one.options.map((option) => ({ name: option.name, cents: getOptionCents(option) })),
        saved: computeCollectiveGain(one),
      }))
      .sort((a, b) => b.saved - a.saved || a.name.localeCompare(b.name, 'fr')),
    notes: [
      'La formule actuelle de chacun n’est pas connue\u00a0: la comparaison dit laquelle coûterait le moins, non ce qui est payé.',
      ...(skippedCount > 0
        ? [
            `${skippedCount} consommateur${skippedCount > 1 ? 's' : ''} sans puissance connue, ou au-delà de 36\u00a0kVA.`,
          ]
        : []),
    ],
  }
}
