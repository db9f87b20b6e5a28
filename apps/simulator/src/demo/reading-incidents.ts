import { addDays, dayStart, daysBetween } from '@voisol/energy/calendar'
import { type ConsumptionProfile, computeLoadWatts } from '@voisol/energy/model/profiles'
import { computePvWatts } from '@voisol/energy/model/pv'
import { drawNoise } from '@voisol/energy/model/random'
import type { Sky } from '@voisol/energy/model/weather'
import { MISSING } from '@voisol/energy/series'
import { BROKEN_PLANT_REF, DIRTY_PLANT_REF, getBergesHomeRef } from './berges.ts'
import { getDayInMonth } from './blueprint.ts'
import type { Coordinates } from './identities.ts'

import { SILENT_METER_REF } from './rhone-sud.ts'
import { getFlatRef } from './tilleuls.ts'

export type ReadingSite = { place: Coordinates; sky: Sky; anchor: string }

type Quality = 1 | 2 | 3
export type DemoReading = { watts: Int32Array; quality: Quality }
/** The readings received for a day measured as `watts`; null without any. */
type ReadingIncident = {
  ref: string
  from: string
  to: string
  change: (watts: Int32Array, day: string, site?: ReadingSite) => DemoReading | null
}

const receiveNothing = () => null
const toRawReading = (watts: Int32Array): DemoReading => ({ watts, quality: 1 })
const toEstimatedReading = (watts: Int32Array): DemoReading => ({ watts, quality: 3 })
const createHoursRemoval = (from: number, to: number) => (watts: Int32Array) =>
  toRawReading(watts.map((value, at) => (at >= from * 4 && at < to * 4 ? MISSING : value)))
const createScaling = (factor: (day: string) => number) => (watts: Int32Array, day: string) =>
  toRawReading(watts.map((value) => Math.round(value * factor(day))))

const DIRTY_DAYS = 35
const CLEANED_AFTER = 10
const DIRT_LOSS = 0.5

/** Dirt reduces output more each day, until the panels are cleaned. */
const getDirtFactor = (anchor: string) => (day: string) =>
  1 - DIRT_LOSS * Math.min(1, Math.max(0, (DIRTY_DAYS - daysBetween(day, anchor)) / DIRTY_DAYS))

/** Faults between meters and readings, dated relative to the day the demo was made. */
export function listIncidents(anchor: string): ReadingIncident[] {
  const one = (ref: string, day: string, change: ReadingIncident['change'], days = 1) => ({
    ref,
    from: day,
    to: addDays(day, days),
    change,
  })
  return [
    one(getFlatRef(8), getDayInMonth(anchor, -2, 9), createHoursRemoval(13, 16)),
    one(getFlatRef(20), getDayInMonth(anchor, -6, 21), receiveNothing),
    one(getBergesHomeRef(27), getDayInMonth(anchor, -1, 4), createHoursRemoval(7, 11)),
    one('berges laundry', getDayInMonth(anchor, -3, 6), receiveNothing, 2),
    one(getBergesHomeRef(63), getDayInMonth(anchor, -9, 14), createHoursRemoval(0, 6)),
    one(getBergesHomeRef(40), getDayInMonth(anchor, -2, 18), toEstimatedReading, 3),
    one(getBergesHomeRef(55), getDayInMonth(anchor, -2, 18), toEstimatedReading, 2),
    one('rhone canteen', getDayInMonth(anchor, -5, 3), toEstimatedReading, 2),
    { ref: SILENT_METER_REF, from: addDays(anchor, -5), to: addDays(anchor, 2), change: receiveNothing },
    one(
      BROKEN_PLANT_REF,
      getDayInMonth(anchor, -2, 11),
      createScaling(() => 0),
      6,
    ),
    {
      ref: DIRTY_PLANT_REF,
      from: addDays(anchor, -DIRTY_DAYS),
      to: addDays(anchor, CLEANED_AFTER),
      change: createScaling(getDirtFactor(anchor)),
    },
    ...listHiddenFaults(anchor),
  ]
}

/** Wrong readings and their later correction. */
export type ReadingCorrection = { ref: string; from: string; days: number; first: number; receivedOn: string }

/** Two corrections before the figures were computed, and two after. */
export function listCorrections(anchor: string) {
  const soon: ReadingCorrection[] = [
    { ref: getFlatRef(5), from: getDayInMonth(anchor, -1, 10), days: 5, first: 0.78, receivedOn: addDays(anchor, -4) },
    {
      ref: 'berges library',
      from: getDayInMonth(anchor, -1, 12),
      days: 3,
      first: 1.22,
      receivedOn: addDays(anchor, -4),
    },
  ]
  const late = {
    redone: {
      ref: getFlatRef(11),
      from: getDayInMonth(anchor, -4, 5),
      days: 4,
      first: 1.8,
      receivedOn: addDays(anchor, -9),
    },
    open: {
      ref: 'berges lab',
      from: getDayInMonth(anchor, -3, 19),
      days: 3,
      first: 0.7,
      receivedOn: addDays(anchor, -1),
    },
  }
  return { soon, late }
}

const STEP = 15
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
function listHiddenFaults(anchor: string): ReadingIncident[] {
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
