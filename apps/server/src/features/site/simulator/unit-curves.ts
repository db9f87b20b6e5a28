import { setImmediate } from 'node:timers/promises'
import type { SimulatorPlace } from '@voisol/contract/simulator'
import { computeNormalTemperature } from '@voisol/energy/model/climate'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import { computeTypicalHours, computeTypicalLoad, TYPICAL_STEPS } from '@voisol/energy/model/typical'
import { getMixEntries, SIMULATOR_PLACES, type SimulationCase, STANDARD_ROOF } from './mixes.ts'

/** kWh of each hour of the typical year: for 1 kWc, and for 1 kWh consumed in the year. */
export type UnitCurves = { production: Float64Array; consumption: Float64Array }

const SLICE_STEPS = 730
const MEGAWATT = 1e6

/** Others are answered between two slices of the year. */
async function computeProductionCurve(place: SimulatorPlace): Promise<Float64Array> {
  const plant = { peakWatts: MEGAWATT, ...STANDARD_ROOF, place: SIMULATOR_PLACES[place] }
  const curve = new Float64Array(TYPICAL_STEPS)
  for (let from = 0; from < TYPICAL_STEPS; from += SLICE_STEPS) {
    const watts = computeTypicalHours(plant, from, SLICE_STEPS)
    for (let at = 0; at < SLICE_STEPS; at++) curve[from + at] = (watts[at] ?? 0) / MEGAWATT
    await setImmediate()
  }
  return curve
}

/** Sites of one kind differ by their habits, and together they are smoother than any: so many stand for all of them. */
const HABIT_COUNTS: Partial<Record<ConsumptionProfile, number>> = {
  household: 8,
  'household-electric-heating': 5,
  'heat-pump': 6,
  'ev-household': 5,
  'common-parts': 2,
}
const DEFAULT_HABIT_COUNT = 3
const YEARLY_KWH = 6000

async function computeProfileCurve(profile: ConsumptionProfile, place: SimulatorPlace): Promise<Float64Array> {
  const curve = new Float64Array(TYPICAL_STEPS)
  const count = HABIT_COUNTS[profile] ?? DEFAULT_HABIT_COUNT
  for (let habit = 0; habit < count; habit++) {
    const seed = `${profile} ${habit}`
    const watts = computeTypicalLoad(profile, YEARLY_KWH, seed, (minute) =>
      computeNormalTemperature(SIMULATOR_PLACES[place], minute),
    )
    for (let at = 0; at < TYPICAL_STEPS; at++) curve[at] = (curve[at] ?? 0) + (watts[at] ?? 0)
    await setImmediate()
  }
  return normalizeCurve(curve)
}

/** The same shape, one in all. */
function normalizeCurve(curve: Float64Array): Float64Array {
  const total = curve.reduce((sum, value) => sum + value, 0)
  return curve.map((value) => value / total)
}

/** Asked for twice at once, it is made once; a failure is not kept. */
function memoizeByKey<T>(make: (key: string) => Promise<T>) {
  const known = new Map<string, Promise<T>>()
  return (key: string) => {
    const found = known.get(key)
    if (found) return found
    const made = make(key)
    known.set(key, made)
    made.catch(() => known.delete(key))
    return made
  }
}

const splitKey = (key: string) => key.split('|') as [never, never] // made by the callers below
const getProductionCurve = memoizeByKey((key) => computeProductionCurve(splitKey(key)[0]))
const getProfileCurve = memoizeByKey((key) => computeProfileCurve(...splitKey(key)))

const getMixedCurve = memoizeByKey(async (key) => {
  const { project, place, building }: SimulationCase = JSON.parse(key)
  const curve = new Float64Array(TYPICAL_STEPS)
  for (const [name, part] of getMixEntries({ project, building })) {
    const unit = await getProfileCurve(`${name}|${place}`)
    for (let at = 0; at < TYPICAL_STEPS; at++) curve[at] = (curve[at] ?? 0) + ((unit[at] ?? 0) * part) / 100
  }
  return normalizeCurve(curve)
})

export async function getUnitCurves({ project, place, building }: SimulationCase): Promise<UnitCurves> {
  return {
    production: await getProductionCurve(place),
    consumption: await getMixedCurve(JSON.stringify({ project, place, building })),
  }
}
