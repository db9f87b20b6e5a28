import { setImmediate } from 'node:timers/promises'
import type { SimulatorPlace } from '@voisol/contract/simulator'
import { normalTemperature } from '@voisol/energy/model/climate'
import type { Profile } from '@voisol/energy/model/profiles'
import { TYPICAL_STEPS, typicalHours, typicalLoad } from '@voisol/energy/model/typical'
import { type Case, mixOf, PLACES, ROOF } from './mixes.ts'

/** kWh of each hour of the typical year: for 1 kWc, and for 1 kWh consumed in the year. */
export type UnitCurves = { production: Float64Array; consumption: Float64Array }

const SLICE = 730
const MEGAWATT = 1e6

/** Others are answered between two slices of the year. */
async function productionOf(place: SimulatorPlace): Promise<Float64Array> {
  const plant = { peakWatts: MEGAWATT, ...ROOF, place: PLACES[place] }
  const curve = new Float64Array(TYPICAL_STEPS)
  for (let from = 0; from < TYPICAL_STEPS; from += SLICE) {
    const watts = typicalHours(plant, from, SLICE)
    for (let at = 0; at < SLICE; at++) curve[from + at] = (watts[at] ?? 0) / MEGAWATT
    await setImmediate()
  }
  return curve
}

/** Sites of one kind differ by their habits, and together they are smoother than any: so many stand for all of them. */
const HABITS: Partial<Record<Profile, number>> = {
  household: 8,
  'household-electric-heating': 5,
  'heat-pump': 6,
  'ev-household': 5,
  'common-parts': 2,
}
const USUAL_HABITS = 3
const YEARLY_KWH = 6000

async function profileOf(profile: Profile, place: SimulatorPlace): Promise<Float64Array> {
  const curve = new Float64Array(TYPICAL_STEPS)
  const count = HABITS[profile] ?? USUAL_HABITS
  for (let habit = 0; habit < count; habit++) {
    const seed = `${profile} ${habit}`
    const watts = typicalLoad(profile, YEARLY_KWH, seed, (minute) => normalTemperature(PLACES[place], minute))
    for (let at = 0; at < TYPICAL_STEPS; at++) curve[at] = (curve[at] ?? 0) + (watts[at] ?? 0)
    await setImmediate()
  }
  return toOne(curve)
}

/** The same shape, one in all. */
function toOne(curve: Float64Array): Float64Array {
  const total = curve.reduce((sum, value) => sum + value, 0)
  return curve.map((value) => value / total)
}

/** Asked for twice at once, it is made once; a failure is not kept. */
function kept<T>(make: (key: string) => Promise<T>) {
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

const split = (key: string) => key.split('|') as [never, never] // made by the callers below
const production = kept((key) => productionOf(split(key)[0]))
const profile = kept((key) => profileOf(...split(key)))

const mixed = kept(async (key) => {
  const { project, place, building }: Case = JSON.parse(key)
  const curve = new Float64Array(TYPICAL_STEPS)
  for (const [name, part] of mixOf({ project, building })) {
    const unit = await profile(`${name}|${place}`)
    for (let at = 0; at < TYPICAL_STEPS; at++) curve[at] = (curve[at] ?? 0) + ((unit[at] ?? 0) * part) / 100
  }
  return toOne(curve)
})

export async function unitCurves({ project, place, building }: Case): Promise<UnitCurves> {
  return {
    production: await production(place),
    consumption: await mixed(JSON.stringify({ project, place, building })),
  }
}
