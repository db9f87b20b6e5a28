import { setImmediate } from 'node:timers/promises'
import type { DayRow } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { deliveryOf } from '../../../world/deliveries.ts'
import { type Correction, correctionsOf } from '../../../world/incidents.ts'
import { correctedRows, lookUp, receivedDays, rowOf, type Site } from '../../../world/readings.ts'
import { storeDays } from '../../energy/curves/curves.ts'
import { missingDays, type Wanted } from './missing-days.ts'
import { pointId } from './structure.ts'

export type Filling = {
  companyId: number
  /** In whose name the demo is made. */
  actor: Actor
  today: string
  site: Site
  signal?: AbortSignal | undefined
}

/** Some points at a time: little memory, and a stop is never far. */
const BATCH = 24

const morning = (day: string) => new Date(`${day}T05:10:00Z`)

/** Generates and keeps the readings that are missing. Answers with the number of days. */
export async function fillCurves({ db }: Deps, plan: OperationPlan, filling: Filling): Promise<number> {
  const { companyId, today, site, signal } = filling
  const wanted = await missingDays(db, companyId, plan, today, site.anchor)
  if (!wanted.length) return 0
  await lookUp(
    site,
    wanted.flatMap(({ days }) => [days[0] ?? today, days.at(-1) ?? today]),
  )
  let stored = 0
  let storing = Promise.resolve(0)
  for (let at = 0; at < wanted.length; at += BATCH) {
    // The database keeps one batch while the next is generated.
    const deliveries = await generate(wanted.slice(at, at + BATCH), site, signal)
    stored += await storing
    storing = keep(db, deliveries, filling)
    storing.catch(() => {}) // told where it is waited for
  }
  return stored + (await storing)
}

async function keep(db: Db, deliveries: Map<string, DayRow[]>, { companyId, signal }: Filling): Promise<number> {
  let stored = 0
  for (const [day, rows] of deliveries) {
    signal?.throwIfAborted()
    // What is not due yet has just come.
    const due = morning(day)
    const receivedAt = due < new Date() ? due : new Date()
    stored += (await storeDays(db, companyId, rows, { source: 'model', receivedAt })).inserted
  }
  return stored
}

async function generate(wanted: Wanted[], site: Site, signal: AbortSignal | undefined): Promise<Map<string, DayRow[]>> {
  const deliveries = new Map<string, DayRow[]>()
  for (const { meter, pointId: id, days } of wanted) {
    signal?.throwIfAborted()
    for (const [day, reading] of receivedDays(meter, site, days)) {
      const due = deliveryOf(meter.ref, day, site.anchor)
      const rows = deliveries.get(due) ?? []
      rows.push(rowOf(id, day, reading))
      deliveries.set(due, rows)
    }
    // One meter takes some tens of milliseconds: then whoever waits has a turn.
    await setImmediate()
  }
  return deliveries
}

/** Lays a correction over what came first; a second time it says nothing new. */
export async function correct(
  { db }: Deps,
  plan: OperationPlan,
  correction: Correction,
  filling: Filling,
): Promise<void> {
  const meter = plan.meters.find(({ ref }) => ref === correction.ref)
  if (!meter) return
  const id = pointId(meter.ref, meter.direction)
  const rows = correctedRows(id, meter, filling.site, correction)
  await storeDays(db, filling.companyId, rows, { source: 'model', receivedAt: morning(correction.receivedOn) })
}

export async function correctSoon(deps: Deps, plan: OperationPlan, filling: Filling): Promise<void> {
  for (const correction of correctionsOf(filling.site.anchor).soon) await correct(deps, plan, correction, filling)
}
