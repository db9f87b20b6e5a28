import type { Study } from '@voisol/contract/projects'
import { type Allocation, allocate } from '@voisol/energy/allocate'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { rates } from '@voisol/energy/metrics'
import { TYPICAL_STEPS } from '@voisol/energy/model/typical'
import { sumKnown } from '@voisol/energy/series'
import { keyOf } from './shares.ts'
import type { Curve, Load } from './study-curves.ts'
import type { StudyInputs } from './study-inputs.ts'
import { moneyOf, savingsOf } from './study-money.ts'
import { SEASONS, typicalCalendar } from './typical-calendar.ts'

type Hours = { produced: Float64Array; consumed: Float64Array; allocated: Float64Array }
const always: [number, number][] = [[0, TYPICAL_STEPS]]
const total = (curves: Curve[]) => curves.reduce((sum, curve) => sum + sumKnown(curve), 0)

function divide({ project }: StudyInputs, production: Curve[], loads: Load[]): Allocation {
  const consumers = loads.map(({ curve }, at) => ({ id: String(at), values: curve, active: always }))
  const weighed = loads.map(({ curve }, at) => ({ id: String(at), weight: sumKnown(curve) }))
  return allocate({
    steps: TYPICAL_STEPS,
    producers: production.map((values, at) => ({ id: `roof ${at}`, values, active: always })),
    consumers,
    keys: [{ from: 0, to: TYPICAL_STEPS, key: keyOf(project.method, weighed) }],
  })
}

function added(curves: Curve[]): Float64Array {
  const sum = new Float64Array(TYPICAL_STEPS)
  for (const curve of curves) for (let at = 0; at < TYPICAL_STEPS; at++) sum[at] = (sum[at] ?? 0) + (curve[at] ?? 0)
  return sum
}

function monthsOf(hours: Hours): Study['months'] {
  const { month } = typicalCalendar()
  const months = Array.from({ length: 12 }, (_, at) => ({ month: at + 1, produced: 0, consumed: 0, allocated: 0 }))
  for (let at = 0; at < TYPICAL_STEPS; at++) {
    const line = months[(month[at] ?? 1) - 1]
    if (!line) continue
    line.produced += hours.produced[at] ?? 0
    line.consumed += hours.consumed[at] ?? 0
    line.allocated += hours.allocated[at] ?? 0
  }
  return months
}

/** The mean of each hour of the day over one season. */
function usualDay(values: Float64Array, wanted: number): number[] {
  const { season, hour } = typicalCalendar()
  const sums = new Float64Array(24)
  const counts = new Uint16Array(24)
  for (let at = 0; at < TYPICAL_STEPS; at++) {
    if (season[at] !== wanted) continue
    const h = hour[at] ?? 0
    sums[h] = (sums[h] ?? 0) + (values[at] ?? 0)
    counts[h] = (counts[h] ?? 0) + 1
  }
  return Array.from(sums, (sum, h) => Math.round(sum / Math.max(1, counts[h] ?? 1)))
}

const daysOf = ({ produced, consumed, allocated }: Hours): Study['days'] =>
  SEASONS.map((season, at) => ({
    season,
    produced: usualDay(produced, at),
    consumed: usualDay(consumed, at),
    allocated: usualDay(allocated, at),
  }))

function participantsOf(
  { project, candidates }: StudyInputs,
  loads: Load[],
  shared: Allocation,
): Study['participants'] {
  return candidates.map(({ name, profile }, at) => {
    const consumed = sumKnown(loads[at]?.curve ?? new Int32Array())
    const allocated = sumKnown(shared.allocated[at] ?? new Int32Array())
    return {
      name,
      profile,
      measured: loads[at]?.measured ?? false,
      consumed,
      allocated,
      coverage: consumed > 0 ? allocated / consumed : null,
      savingsCents: savingsOf(allocated, project),
    }
  })
}

/** The typical year hour by hour, shared by the same kernel as the operation's own months. */
export function balance(inputs: StudyInputs, production: Curve[], loads: Load[]): Study {
  const shared = divide(inputs, production, loads)
  const hours = {
    produced: added(production),
    consumed: added(loads.map(({ curve }) => curve)),
    allocated: added(shared.allocated),
  }
  const sums = {
    produced: total(production),
    consumed: total(loads.map(({ curve }) => curve)),
    allocated: total(shared.allocated),
  }
  const { surplus, selfConsumption, selfProduction } = rates(sums)
  const watts = inputs.roofs.reduce((sum, { peakWatts }) => sum + peakWatts, 0)
  const participants = participantsOf(inputs, loads, shared)
  return {
    ...sums,
    surplus,
    selfConsumption,
    selfProduction,
    ...moneyOf({ allocated: sums.allocated, surplus, watts }, inputs.project),
    savingsCents: participants.reduce((sum, { savingsCents }) => sum + savingsCents, 0),
    months: monthsOf(hours),
    days: daysOf(hours),
    participants,
    engineVersion: ENGINE_VERSION,
  }
}
