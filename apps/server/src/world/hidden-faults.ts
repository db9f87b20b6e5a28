import { addDays, dayStart } from '@voisol/energy/calendar'
import { loadWatts, type Profile } from '@voisol/energy/model/profiles'
import { pvWatts } from '@voisol/energy/model/pv'
import { noise } from '@voisol/energy/model/random'
import { home } from './berges-homes.ts'
import type { Incident, Reading } from './incidents.ts'
import type { Site } from './readings.ts'

const STEP = 15
const raw = (watts: Int32Array): Reading => ({ watts, quality: 1 })
const constant = (value: number) => (watts: Int32Array) => raw(watts.map(() => value))

/** A panel plugged in behind a meter that is told to be a home's. */
const panel = (watts: Int32Array, day: string, site?: Site) => {
  if (!site) return raw(watts)
  const plant = { peakWatts: 2_900, azimuth: 188, tilt: 24, place: site.place }
  const light = 0.35 + 0.6 * noise('panel', dayStart(day))
  return raw(pvWatts(plant, dayStart(day), watts.length, STEP).map((value) => Math.round(value * light)))
}

const late = (steps: number) => (watts: Int32Array) => raw(watts.map((_, at) => watts[at - steps] ?? 0))

type Shop = { ref: string; profile: Profile; yearlyKwh: number }
const COOP: Shop = { ref: 'berges coop', profile: 'office', yearlyKwh: 38_000 }
const TABLE: Shop = { ref: 'berges table 2', profile: 'restaurant', yearlyKwh: 33_000 }

/** What the other meter reads: worked out once for all the days. */
function curveOf({ ref, profile, yearlyKwh }: Shop, from: string, to: string) {
  let kept: Int32Array | undefined
  return (watts: Int32Array, day: string, site?: Site): Reading => {
    if (!site) return raw(watts)
    const start = dayStart(from)
    const steps = (dayStart(to) - start) / STEP
    kept ??= loadWatts(profile, yearlyKwh, ref, start, steps, STEP, (minute) => site.sky(minute).temperature)
    const at = (dayStart(day) - start) / STEP
    return raw(kept.slice(at, at + watts.length))
  }
}

const made = new Map<string, Incident[]>()

/** Faults that nobody has told of: they are there to be found. */
export function hiddenFaults(anchor: string): Incident[] {
  const known = made.get(anchor)
  if (known) return known
  const ago = (days: number) => addDays(anchor, -days)
  const fault = (ref: string, since: number, change: Incident['change']): Incident => {
    return { ref, from: ago(since), to: addDays(anchor, 14), change }
  }
  const [from, to] = [ago(35), addDays(anchor, 14)]
  const faults = [
    fault('rhone roof cold', 8, constant(0)),
    fault('berges canopy', 24, late(4)),
    fault(home(47), 32, panel),
    fault(home(9), 14, (watts) => raw(watts.map((value) => value + 310))),
    fault('berges bikes', 3, constant(1_417)),
    fault('berges books', 6, constant(0)),
    fault(COOP.ref, 35, curveOf(TABLE, from, to)),
    fault(TABLE.ref, 35, curveOf(COOP, from, to)),
  ]
  made.set(anchor, faults)
  return faults
}
