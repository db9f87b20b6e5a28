import { setImmediate } from 'node:timers/promises'
import { addDays, addMonths, dayStart, listDays } from '@voisol/energy/calendar'
import { loadWatts } from '@voisol/energy/model/profiles'
import { pvWatts } from '@voisol/energy/model/pv'
import { type Sky, skyOf } from '@voisol/energy/model/weather'
import type { DayRow } from '../core/readings.ts'
import type { Meter } from './blueprint.ts'
import { type Correction, correctionsOf, incidentsOf, type Reading } from './incidents.ts'
import type { Place } from './numbers.ts'

const STEP = 15
const WEATHER = 'voisol 2'

export type Site = { place: Place; sky: Sky; anchor: string }

/** One sky over the whole of an operation: its meters see the same clouds. */
export const siteOver = ({ latitude, longitude }: Place, anchor: string): Site => {
  const place = { latitude, longitude }
  return { place, anchor, sky: skyOf(WEATHER, place) }
}

/** Loads are scaled by the weather of this year. */
const SCALED_BY = '2025-01-01'
const AT_ONCE = 30
const DAY = 1440

/** Works the sky out some days at a time, so that the first meter that looks at it does not hold up everybody. */
export async function lookUp({ sky }: Site, days: string[]): Promise<void> {
  const from = days.reduce((a, b) => (a < b ? a : b), SCALED_BY)
  const to = dayStart(days.reduce((a, b) => (a > b ? a : b), addMonths(SCALED_BY, 12))) + 2 * DAY
  for (let minute = dayStart(from), n = 0; minute < to; minute += DAY, n++) {
    sky(minute)
    if (n % AT_ONCE === 0) await setImmediate()
  }
}

/** What the meter reads over [from, to): a day is the same whatever the days around it. */
function meterWatts({ ref, source }: Meter, place: Place, sky: Sky, from: string, to: string): Int32Array {
  const start = dayStart(from)
  const steps = (dayStart(to) - start) / STEP
  if ('storage' in source) return new Int32Array(steps).fill(-1)
  if ('profile' in source)
    return loadWatts(source.profile, source.yearlyKwh, ref, start, steps, STEP, (minute) => sky(minute).temperature)
  return pvWatts({ ...source, place }, start, steps, STEP, sky)
}

function cutDays(meter: Meter, { place, sky }: Site, days: string[]): Map<string, Int32Array> {
  const [from, last] = [days[0], days.at(-1)]
  if (!from || !last) return new Map()
  const watts = meterWatts(meter, place, sky, from, addDays(last, 1))
  const origin = dayStart(from)
  const at = (day: string) => (dayStart(day) - origin) / STEP
  // Copied, because a slice of the whole would keep the whole in memory for as long as one day is held.
  return new Map(days.map((day) => [day, watts.slice(at(day), at(addDays(day, 1)))]))
}

const covers = ({ from, days }: Correction, day: string) => day >= from && day < addDays(from, days)

/** The first word on each of these days, as it was received; days that never came are left out. */
export function receivedDays(meter: Meter, site: Site, days: string[]): Map<string, Reading> {
  const incidents = incidentsOf(site.anchor).filter(({ ref }) => ref === meter.ref)
  const { soon, late } = correctionsOf(site.anchor)
  const wrong = [...soon, ...Object.values(late)].filter(({ ref }) => ref === meter.ref)
  const found = new Map<string, Reading>()
  for (const [day, watts] of cutDays(meter, site, days)) {
    const incident = incidents.find(({ from, to }) => day >= from && day < to)
    const factor = wrong.find((correction) => covers(correction, day))?.first
    const first = factor === undefined ? watts : watts.map((value) => Math.round(value * factor))
    const reading: Reading | null = incident ? incident.change(first, day, site) : { watts: first, quality: 1 }
    if (reading) found.set(day, reading)
  }
  return found
}

/** Days of a meter of which nothing ever comes. */
export const lostDays = (ref: string, anchor: string): Set<string> =>
  new Set(
    incidentsOf(anchor)
      .filter((incident) => incident.ref === ref && incident.change(new Int32Array(0), incident.from) === null)
      .flatMap(({ from, to }) => listDays(from, to)),
  )

export const rowOf = (pointId: string, day: string, { watts, quality }: Reading): DayRow => ({
  pointId,
  day,
  step: STEP,
  watts,
  marks: null,
  quality,
})

/** What a correction says of its days. */
export function correctedRows(pointId: string, meter: Meter, site: Site, { from, days }: Correction): DayRow[] {
  const right = cutDays(meter, site, listDays(from, addDays(from, days)))
  return [...right].map(([day, watts]) => rowOf(pointId, day, { watts, quality: 2 }))
}
