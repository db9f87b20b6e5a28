import type { Study } from '@voisol/contract/projects'
import { type AllocationResult, allocateEnergy } from '@voisol/energy/allocate'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import { computeRates } from '@voisol/energy/metrics'
import { TYPICAL_STEPS } from '@voisol/energy/model/typical'
import { sumKnown } from '@voisol/energy/series'
import { buildStudyKey } from './shares.ts'
import type { CandidateLoad, HourlyCurve } from './study-curves.ts'
import type { StudyInputs } from './study-inputs.ts'
import { computeProfitability, computeSavingsCents } from './study-money.ts'
import { getTypicalCalendar, SEASONS } from './typical-calendar.ts'

type HourlyEnergies = { produced: Float64Array; consumed: Float64Array; allocated: Float64Array }
const ALWAYS_ACTIVE: [number, number][] = [[0, TYPICAL_STEPS]]
const sumCurves = (curves: HourlyCurve[]) => curves.reduce((sum, curve) => sum + sumKnown(curve), 0)

function allocateTypicalYear(
  { project }: StudyInputs,
  production: HourlyCurve[],
  loads: CandidateLoad[],
): AllocationResult {
  const consumers = loads.map(({ curve }, at) => ({ id: String(at), values: curve, active: ALWAYS_ACTIVE }))
  const weightedConsumers = loads.map(({ curve }, at) => ({ id: String(at), weight: sumKnown(curve) }))
  return allocateEnergy({
    steps: TYPICAL_STEPS,
    producers: production.map((values, at) => ({ id: `roof ${at}`, values, active: ALWAYS_ACTIVE })),
    consumers,
    keys: [{ from: 0, to: TYPICAL_STEPS, key: buildStudyKey(project.method, weightedConsumers) }],
  })
}

function addCurves(curves: HourlyCurve[]): Float64Array {
  const sum = new Float64Array(TYPICAL_STEPS)
  for (const curve of curves) for (let at = 0; at < TYPICAL_STEPS; at++) sum[at] = (sum[at] ?? 0) + (curve[at] ?? 0)
  return sum
}

function sumByMonth(hours: HourlyEnergies): Study['months'] {
  const { month } = getTypicalCalendar()
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
function computeAverageDay(values: Float64Array, wantedSeason: number): number[] {
  const { season, hour } = getTypicalCalendar()
  const sums = new Float64Array(24)
  const counts = new Uint16Array(24)
  for (let at = 0; at < TYPICAL_STEPS; at++) {
    if (season[at] !== wantedSeason) continue
    const h = hour[at] ?? 0
    sums[h] = (sums[h] ?? 0) + (values[at] ?? 0)
    counts[h] = (counts[h] ?? 0) + 1
  }
  return Array.from(sums, (sum, h) => Math.round(sum / Math.max(1, counts[h] ?? 1)))
}

const buildSeasonDays = ({ produced, consumed, allocated }: HourlyEnergies): Study['days'] =>
  SEASONS.map((season, at) => ({
    season,
    produced: computeAverageDay(produced, at),
    consumed: computeAverageDay(consumed, at),
    allocated: computeAverageDay(allocated, at),
  }))

function buildParticipantResults(
  { project, candidates }: StudyInputs,
  loads: CandidateLoad[],
  shared: AllocationResult,
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
      savingsCents: computeSavingsCents(allocated, project),
    }
  })
}

/** The study of a typical year hour by hour, with the same allocation engine as real months. */
export function computeStudy(inputs: StudyInputs, production: HourlyCurve[], loads: CandidateLoad[]): Study {
  const shared = allocateTypicalYear(inputs, production, loads)
  const hours = {
    produced: addCurves(production),
    consumed: addCurves(loads.map(({ curve }) => curve)),
    allocated: addCurves(shared.allocated),
  }
  const sums = {
    produced: sumCurves(production),
    consumed: sumCurves(loads.map(({ curve }) => curve)),
    allocated: sumCurves(shared.allocated),
  }
  const { surplus, selfConsumption, selfProduction } = computeRates(sums)
  const watts = inputs.roofs.reduce((sum, { peakWatts }) => sum + peakWatts, 0)
  const participants = buildParticipantResults(inputs, loads, shared)
  return {
    ...sums,
    surplus,
    selfConsumption,
    selfProduction,
    ...computeProfitability({ allocated: sums.allocated, surplus, watts }, inputs.project),
    savingsCents: participants.reduce((sum, { savingsCents }) => sum + savingsCents, 0),
    months: sumByMonth(hours),
    days: buildSeasonDays(hours),
    participants,
    engineVersion: ENGINE_VERSION,
  }
}
