import { scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import {
  getPointNames,
  listEndingConsents,
  listMissingInputs,
  loadDegreeDays,
  loadDeliveryDelays,
  loadSubscribedKvas,
} from './context.ts'
import type { FindInsightsInput } from './find-task.ts'
import { listJoinCandidates } from './joiners.ts'
import { storeFindings } from './keep.ts'
import { loadEnergyPrices } from './prices.ts'
import { type InsightData, loadInsightData } from './scene.ts'

/** A full year of consumption plus a day, which is enough for every rule. */
export const INSIGHT_HISTORY_DAYS = 366
type InsightDeps = Pick<Deps, 'db' | 'compute' | 'secrets'>
type FindInsightsOptions = { companyId: number; operationId: string; signal?: AbortSignal | undefined }

/** Buffers of readings made for this call are transferred to the thread. */
export const listTransferableBuffers = ({ points, neighbours }: InsightData) => [
  ...new Set(
    [...points.flatMap(({ values, measured }) => [values, measured]), ...neighbours.map(({ values }) => values)].map(
      (curve) => curve.buffer as ArrayBuffer, // never shared between threads
    ),
  ),
]

/** Runs every rule on an operation in a worker thread and stores the findings. */
export async function findAndStoreInsights(
  { db, compute, secrets }: InsightDeps,
  { companyId, operationId, signal }: FindInsightsOptions,
) {
  const companyDb = scopeToCompany(db, companyId)
  const loaded = await loadInsightData(companyDb, companyId, operationId, INSIGHT_HISTORY_DAYS)
  if (!loaded) return { found: 0, closed: 0 }
  const { scene, input } = loaded
  const prices = await loadEnergyPrices(companyDb, companyId, operationId, getToday())
  const cold = await loadDegreeDays(companyDb, companyId, scene)
  const taskInput: FindInsightsInput = {
    operationId,
    today: getToday(),
    scene,
    prices,
    names: getPointNames(input),
    cold,
    endings: await listEndingConsents(companyDb, companyId, scene),
    deliveries: await loadDeliveryDelays(companyDb, companyId, scene),
    joiners: await listJoinCandidates(companyDb, companyId, scene),
    kvas: await loadSubscribedKvas(
      companyDb,
      companyId,
      scene.points.map(({ id }) => id),
    ),
    calendar: input.calendar,
  }
  const missing = listMissingInputs(scene, cold, prices)
  const findings = await compute('insights.find', taskInput, {
    companyId,
    signal,
    moved: listTransferableBuffers(scene),
  })
  return transaction(companyDb, (tx) =>
    storeFindings(tx, { companyId, operationId, secrets }, findings, prices, missing),
  )
}
