import { forCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { today } from '../../../today.ts'
import { coldOf, deliveriesOf, endingsOf, kvasOf, missingOf, namesOf } from './context.ts'
import type { ToLookAt } from './find-task.ts'
import { joinersOf } from './joiners.ts'
import { keepFindings } from './keep.ts'
import { pricesOn } from './prices.ts'
import { type Scene, sceneOf } from './scene.ts'

/** A year and a day: a whole year of a consumer's curve, and enough for every other rule. */
export const YEAR = 366
type Looking = Pick<Deps, 'db' | 'compute' | 'secrets'>
type What = { companyId: number; operationId: string; signal?: AbortSignal | undefined }

/** Readings were made for this call: they are handed over. */
export const buffersOf = ({ points, neighbours }: Scene) => [
  ...new Set(
    [...points.flatMap(({ values, measured }) => [values, measured]), ...neighbours.map(({ values }) => values)].map(
      (curve) => curve.buffer as ArrayBuffer, // never shared between threads
    ),
  ),
]

/** Looks at an operation with every rule, in a thread, and keeps what it finds. */
export async function lookAt({ db, compute, secrets }: Looking, { companyId, operationId, signal }: What) {
  const own = forCompany(db, companyId)
  const loaded = await sceneOf(own, companyId, operationId, YEAR)
  if (!loaded) return { found: 0, closed: 0 }
  const { scene, input } = loaded
  const prices = await pricesOn(own, companyId, operationId, today())
  const cold = await coldOf(own, companyId, scene)
  const given: ToLookAt = {
    operationId,
    today: today(),
    scene,
    prices,
    names: namesOf(input),
    cold,
    endings: await endingsOf(own, companyId, scene),
    deliveries: await deliveriesOf(own, companyId, scene),
    joiners: await joinersOf(own, companyId, scene),
    kvas: await kvasOf(
      own,
      companyId,
      scene.points.map(({ id }) => id),
    ),
    calendar: input.calendar,
  }
  const missing = missingOf(scene, cold, prices)
  const found = await compute('insights.find', given, { companyId, signal, moved: buffersOf(scene) })
  return transaction(own, (tx) => keepFindings(tx, { companyId, operationId, secrets }, found, prices, missing))
}
