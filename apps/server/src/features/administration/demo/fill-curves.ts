import { setImmediate } from 'node:timers/promises'
import type { PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { getDeliveryDay } from '../../../world/deliveries.ts'
import { listCorrections, type ReadingCorrection } from '../../../world/incidents.ts'
import {
  computeCorrectedRows,
  computeReceivedDays,
  type ReadingSite,
  toDayRow,
  warmUpSky,
} from '../../../world/readings.ts'
import { storeReadingsAndNotify } from '../../energy/curves/curves.ts'
import { listMissingDays, type MissingDays } from './missing-days.ts'
import { getDemoPointId } from './structure.ts'

export type FillOptions = {
  companyId: number
  /** The author of the demo data. */
  actor: Actor
  today: string
  site: ReadingSite
  signal?: AbortSignal | undefined
}

/** Small batches keep memory low and let an abort take effect quickly. */
const POINTS_PER_BATCH = 24

const toMorning = (day: string) => new Date(`${day}T05:10:00Z`)

/** Generates and stores the missing readings. Returns the number of days stored. */
export async function fillCurves({ db }: Deps, plan: OperationPlan, filling: FillOptions): Promise<number> {
  const { companyId, today, site, signal } = filling
  const missing = await listMissingDays(db, companyId, plan, today, site.anchor)
  if (!missing.length) return 0
  await warmUpSky(
    site,
    missing.flatMap(({ days }) => [days[0] ?? today, days.at(-1) ?? today]),
  )
  let stored = 0
  let storing = Promise.resolve(0)
  for (let at = 0; at < missing.length; at += POINTS_PER_BATCH) {
    // One batch is written to the database while the next one is generated.
    const deliveries = await generateReadings(missing.slice(at, at + POINTS_PER_BATCH), site, signal)
    stored += await storing
    storing = storeDeliveries(db, deliveries, filling)
    storing.catch(() => {}) // the error is thrown where it is awaited
  }
  return stored + (await storing)
}

async function storeDeliveries(
  db: Db,
  deliveries: Map<string, PointDayReadings[]>,
  { companyId, signal }: FillOptions,
): Promise<number> {
  let stored = 0
  for (const [day, rows] of deliveries) {
    signal?.throwIfAborted()
    // A reading that is not due yet is recorded as just received.
    const due = toMorning(day)
    const receivedAt = due < new Date() ? due : new Date()
    stored += (await storeReadingsAndNotify(db, companyId, rows, { source: 'model', receivedAt })).inserted
  }
  return stored
}

async function generateReadings(
  missing: MissingDays[],
  site: ReadingSite,
  signal: AbortSignal | undefined,
): Promise<Map<string, PointDayReadings[]>> {
  const deliveries = new Map<string, PointDayReadings[]>()
  for (const { meter, pointId: id, days } of missing) {
    signal?.throwIfAborted()
    for (const [day, reading] of computeReceivedDays(meter, site, days)) {
      const due = getDeliveryDay(meter.ref, day, site.anchor)
      const rows = deliveries.get(due) ?? []
      rows.push(toDayRow(id, day, reading))
      deliveries.set(due, rows)
    }
    // One meter takes some tens of milliseconds: yields to other requests in between.
    await setImmediate()
  }
  return deliveries
}

/** Stores a correction over the first readings. Idempotent: the same correction again changes nothing. */
export async function applyCorrection(
  { db }: Deps,
  plan: OperationPlan,
  correction: ReadingCorrection,
  filling: FillOptions,
): Promise<void> {
  const meter = plan.meters.find(({ ref }) => ref === correction.ref)
  if (!meter) return
  const id = getDemoPointId(meter.ref, meter.direction)
  const rows = computeCorrectedRows(id, meter, filling.site, correction)
  await storeReadingsAndNotify(db, filling.companyId, rows, {
    source: 'model',
    receivedAt: toMorning(correction.receivedOn),
  })
}

export async function applyEarlyCorrections(deps: Deps, plan: OperationPlan, filling: FillOptions): Promise<void> {
  for (const correction of listCorrections(filling.site.anchor).soon)
    await applyCorrection(deps, plan, correction, filling)
}
