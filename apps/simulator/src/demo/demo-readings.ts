import { setImmediate } from 'node:timers/promises'
import { addDays, addMonths, dayStart, daysBetween, listDays, monthOf } from '@voisol/energy/calendar'
import { computeLoadWatts } from '@voisol/energy/model/profiles'
import { computePvWatts } from '@voisol/energy/model/pv'
import { createSky, type Sky } from '@voisol/energy/model/weather'
import type { PointDayReadings } from '../../../server/src/core/readings.ts'
import type { PlannedMeter } from './blueprint.ts'
import type { Coordinates } from './identities.ts'
import {
  type DemoReading,
  listCorrections,
  listIncidents,
  type ReadingCorrection,
  type ReadingSite,
} from './reading-incidents.ts'
import { SILENT_METER_REF } from './rhone-sud.ts'

const STEP = 15
const WEATHER = 'voisol 2'

/** One sky for a whole operation: its meters have the same clouds. */
export const createReadingSite = ({ latitude, longitude }: Coordinates, anchor: string): ReadingSite => {
  const place = { latitude, longitude }
  return { place, anchor, sky: createSky(WEATHER, place) }
}

/** Loads are scaled with the weather of this year. */
const SCALED_BY = '2025-01-01'
const DAYS_AT_ONCE = 30
const DAY = 1440

/** Computes the sky some days at a time, so that the first meter does not block other requests. */
export async function warmUpSky({ sky }: ReadingSite, days: string[]): Promise<void> {
  const from = days.reduce((a, b) => (a < b ? a : b), SCALED_BY)
  const to = dayStart(days.reduce((a, b) => (a > b ? a : b), addMonths(SCALED_BY, 12))) + 2 * DAY
  for (let minute = dayStart(from), n = 0; minute < to; minute += DAY, n++) {
    sky(minute)
    if (n % DAYS_AT_ONCE === 0) await setImmediate()
  }
}

/** The meter readings over [from, to): a day does not depend on the days around it. */
function computeMeterWatts(
  { ref, source }: PlannedMeter,
  place: Coordinates,
  sky: Sky,
  from: string,
  to: string,
): Int32Array {
  const start = dayStart(from)
  const steps = (dayStart(to) - start) / STEP
  if ('storage' in source) return new Int32Array(steps).fill(-1)
  if ('profile' in source)
    return computeLoadWatts(
      source.profile,
      source.yearlyKwh,
      ref,
      start,
      steps,
      STEP,
      (minute) => sky(minute).temperature,
    )
  return computePvWatts({ ...source, place }, start, steps, STEP, sky)
}

function splitDays(meter: PlannedMeter, { place, sky }: ReadingSite, days: string[]): Map<string, Int32Array> {
  const [from, last] = [days[0], days.at(-1)]
  if (!from || !last) return new Map()
  const watts = computeMeterWatts(meter, place, sky, from, addDays(last, 1))
  const origin = dayStart(from)
  const at = (day: string) => (dayStart(day) - origin) / STEP
  // Copied, because a slice would keep the whole array in memory.
  return new Map(days.map((day) => [day, watts.slice(at(day), at(addDays(day, 1)))]))
}

const isCorrectedDay = ({ from, days }: ReadingCorrection, day: string) => day >= from && day < addDays(from, days)

/** The first readings received for each of these days; days that never arrived are left out. */
export function computeReceivedDays(meter: PlannedMeter, site: ReadingSite, days: string[]): Map<string, DemoReading> {
  const incidents = listIncidents(site.anchor).filter(({ ref }) => ref === meter.ref)
  const { soon, late } = listCorrections(site.anchor)
  const wrong = [...soon, ...Object.values(late)].filter(({ ref }) => ref === meter.ref)
  const found = new Map<string, DemoReading>()
  for (const [day, watts] of splitDays(meter, site, days)) {
    const incident = incidents.find(({ from, to }) => day >= from && day < to)
    const factor = wrong.find((correction) => isCorrectedDay(correction, day))?.first
    const first = factor === undefined ? watts : watts.map((value) => Math.round(value * factor))
    const reading: DemoReading | null = incident ? incident.change(first, day, site) : { watts: first, quality: 1 }
    if (reading) found.set(day, reading)
  }
  return found
}

/** Days of a meter that never arrive. */
export const listLostDays = (ref: string, anchor: string): Set<string> =>
  new Set(
    listIncidents(anchor)
      .filter((incident) => incident.ref === ref && incident.change(new Int32Array(0), incident.from) === null)
      .flatMap(({ from, to }) => listDays(from, to)),
  )

export const toDayRow = (pointId: string, day: string, { watts, quality }: DemoReading): PointDayReadings => ({
  pointId,
  day,
  step: STEP,
  watts,
  marks: null,
  quality,
})

/** The corrected readings of a correction. */
export function computeCorrectedRows(
  pointId: string,
  meter: PlannedMeter,
  site: ReadingSite,
  { from, days }: ReadingCorrection,
): PointDayReadings[] {
  const right = splitDays(meter, site, listDays(from, addDays(from, days)))
  return [...right].map(([day, watts]) => toDayRow(pointId, day, { watts, quality: 2 }))
}

/** Days before the reference day since which the meter that falls silent has been read remotely. */
const SINCE_DAYS = 130
const EVERY_DAYS = 3

/** The day on which the readings of a day arrive: the next one as a rule, every third day for one meter. */
export function getDeliveryDay(ref: string, day: string, anchor: string): string {
  const ago = daysBetween(day, anchor)
  if (ref !== SILENT_METER_REF || ago > SINCE_DAYS) return addMonths(monthOf(day), 1)
  return addDays(day, 1 + ((((ago - 1) % EVERY_DAYS) + EVERY_DAYS) % EVERY_DAYS))
}
