import type { GridTariffs } from '@voisol/contract/insight-views'
import { findOperation } from '../../../core/operation.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { kvasOf, namesOf } from './context.ts'
import { centsOf, collectiveGain } from './grid-rule.ts'
import { buffersOf, YEAR } from './look.ts'
import { sceneOf } from './scene.ts'

type Asking = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }

/** What each formula would have cost each consumer up to 36 kVA, over its own year. */
export async function gridTariffsOf(
  { db, compute, signal }: Asking,
  actor: Actor,
  operationId: string,
): Promise<GridTariffs> {
  await findOperation(db, actor, operationId)
  const { companyId } = actor
  const loaded = await sceneOf(db, companyId, operationId, YEAR)
  if (!loaded) throw fieldError('id', 'Aucun relevé de cette opération n’est encore connu.')
  const { scene, input } = loaded
  const consumers = scene.points.filter(({ role }) => role === 'consumer').map(({ id }) => id)
  const kvas = await kvasOf(db, companyId, consumers)
  const given = { scene, kvas, calendar: input.calendar }
  const costed = await compute('insights.grid', given, { companyId, signal, moved: buffersOf(scene) })
  const names = namesOf(input)
  const left = consumers.length - costed.length
  return {
    from: scene.from,
    to: scene.to,
    source: 'TURPE\u00a07, basse tension jusqu’à 36\u00a0kVA, au 1er août 2025, hors taxes',
    items: costed
      .map((one) => ({
        pointId: one.id,
        name: names[one.id] ?? one.id,
        kva: one.kva,
        days: one.days,
        options: one.options.map((option) => ({ name: option.name, cents: centsOf(option) })),
        saved: collectiveGain(one),
      }))
      .sort((a, b) => b.saved - a.saved || a.name.localeCompare(b.name, 'fr')),
    notes: [
      'La formule actuelle de chacun n’est pas connue\u00a0: la comparaison dit laquelle coûterait le moins, non ce qui est payé.',
      ...(left > 0
        ? [`${left} consommateur${left > 1 ? 's' : ''} sans puissance connue, ou au-delà de 36\u00a0kVA.`]
        : []),
    ],
  }
}
