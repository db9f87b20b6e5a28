import { addDays, dayStart } from '@voisol/energy/calendar'
import { type ConsumptionProfile, computeLoadWatts } from '@voisol/energy/model/profiles'
import { computePvWatts } from '@voisol/energy/model/pv'
import { drawNoise } from '@voisol/energy/model/random'
import { getBergesHomeRef } from './berges-homes.ts'
import type { DemoReading, ReadingIncident } from './incidents.ts'
import type { ReadingSite } from './readings.ts'

const STEP = 15
const toRawReading = (watts: Int32Array): DemoReading => ({ watts, quality: 1 })
const createConstantChange = (value: number) => (watts: Int32Array) => toRawReading(watts.map(() => value))

/** A solar panel plugged in behind a consumer's meter. */
const addPanel = (watts: Int32Array, day: string, site?: ReadingSite) => {
  if (!site) return toRawReading(watts)
  const plant = { peakWatts: 2_900, azimuth: 188, tilt: 24, place: site.place }
  const light = 0.35 + 0.6 * drawNoise('panel', dayStart(day))
  return toRawReading(
    computePvWatts(plant, dayStart(day), watts.length, STEP).map((value) => Math.round(value * light)),
  )
}

const createDelay = (steps: number) => (watts: Int32Array) => toRawReading(watts.map((_, at) => watts[at - steps] ?? 0))

type Shop = { ref: string; profile: ConsumptionProfile; yearlyKwh: number }
const COOP: Shop = { ref: 'berges coop', profile: 'office', yearlyKwh: 38_000 }
const TABLE: Shop = { ref: 'berges table 2', profile: 'restaurant', yearlyKwh: 33_000 }

/** The readings of the other meter, computed once for all days. */
function createCurveChange({ ref, profile, yearlyKwh }: Shop, from: string, to: string) {
  let kept: Int32Array | undefined
  return (watts: Int32Array, day: string, site?: ReadingSite): DemoReading => {
    if (!site) return toRawReading(watts)
    const start = dayStart(from)
    const steps = (dayStart(to) - start) / STEP
    kept ??= computeLoadWatts(profile, yearlyKwh, ref, start, steps, STEP, (minute) => site.sky(minute).temperature)
    const at = (dayStart(day) - start) / STEP
    return toRawReading(kept.slice(at, at + watts.length))
  }
}

const faultsByAnchor = new Map<string, ReadingIncident[]>()

/** Undeclared faults, to be found by the analysis. */
export function listHiddenFaults(anchor: string): ReadingIncident[] {
  const known = faultsByAnchor.get(anchor)
  if (known) return known
  const ago = (days: number) => addDays(anchor, -days)
  const fault = (ref: string, since: number, change: ReadingIncident['change']): ReadingIncident => {
    return { ref, from: ago(since), to: addDays(anchor, 14), change }
  }
  const [from, to] = [ago(35), addDays(anchor, 14)]
  const faults = [
    fault('rhone roof cold', 8, createConstantChange(0)),
    fault('berges canopy', 24, createDelay(4)),
    fault(getBergesHomeRef(47), 32, addPanel),
    fault(getBergesHomeRef(9), 14, (watts) => toRawReading(watts.map((value) => value + 310))),
    fault('berges bikes', 3, createConstantChange(1_417)),
    fault('berges books', 6, createConstantChange(0)),
    fault(COOP.ref, 35, createCurveChange(TABLE, from, to)),
    fault(TABLE.ref, 35, createCurveChange(COOP, from, to)),
  ]
  faultsByAnchor.set(anchor, faults)
  return faults
}
