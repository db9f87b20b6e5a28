import { dayStart } from '../calendar/calendar.ts'
import type { Step } from '../series/series.ts'
import { MIDDLE, normalTemperature } from './climate.ts'
import { type Dwelling, dwelling, type Writer } from './dwelling.ts'
import { type LoadDay, loadDays } from './load-day.ts'
import { seedOf } from './random.ts'
import { sheetOf, turn } from './sheet.ts'
import { site, streetLighting } from './site.ts'
import * as kinds from './site-kinds.ts'

export const PROFILES = [
  'household',
  'household-electric-heating',
  'heat-pump',
  'ev-household',
  'office',
  'shop',
  'bakery',
  'restaurant',
  'school',
  'workshop',
  'cold-store',
  'common-parts',
  'street-lighting',
] as const
export type Profile = (typeof PROFILES)[number]

export const PROFILE_LABELS: Record<Profile, string> = {
  household: 'Logement',
  'household-electric-heating': 'Logement chauffé à l’électricité',
  'heat-pump': 'Logement avec pompe à chaleur',
  'ev-household': 'Logement avec véhicule électrique',
  office: 'Bureaux',
  shop: 'Commerce',
  bakery: 'Boulangerie',
  restaurant: 'Restaurant',
  school: 'École',
  workshop: 'Atelier en deux équipes',
  'cold-store': 'Entrepôt frigorifique',
  'common-parts': 'Parties communes d’immeuble',
  'street-lighting': 'Éclairage public',
}

const NONE = { kind: 'none', wattsPerDegree: 0 } as const
const DWELLINGS: Partial<Record<Profile, Dwelling>> = {
  household: { usualKwh: 2600, tankShare: 0.32, heating: NONE, car: false },
  'household-electric-heating': {
    usualKwh: 7500,
    tankShare: 0.9,
    heating: { kind: 'electric', wattsPerDegree: 95 },
    car: false,
  },
  'heat-pump': { usualKwh: 7000, tankShare: 0.75, heating: { kind: 'pump', wattsPerDegree: 190 }, car: false },
  'ev-household': { usualKwh: 5600, tankShare: 0.6, heating: NONE, car: true },
}
const SITES: Partial<Record<Profile, kinds.Site>> = {
  office: kinds.OFFICE,
  shop: kinds.SHOP,
  bakery: kinds.BAKERY,
  restaurant: kinds.RESTAURANT,
  school: kinds.SCHOOL,
  workshop: kinds.WORKSHOP,
  'cold-store': kinds.COLD_STORE,
  'common-parts': kinds.COMMON_PARTS,
}

export type Temperature = (minute: number) => number
const NORMAL: Temperature = (minute) => normalTemperature(MIDDLE, minute)

const WEATHERLESS: readonly Profile[] = ['household', 'ev-household', 'street-lighting']

/** Writes each day in turn and hands its slots to `take`. */
function writeDays(
  writer: Writer,
  days: readonly LoadDay[],
  width: number,
  temperature: Temperature | null,
  take: (day: LoadDay, watts: Float64Array) => void,
): void {
  const sheet = sheetOf(width)
  const hours = new Float64Array(25)
  for (const day of days) {
    if (temperature) for (let hour = 0; hour < 25; hour++) hours[hour] = temperature(day.startsAt + hour * 60 + 30)
    writer(sheet, day, hours)
    take(day, sheet.watts)
    turn(sheet, day)
  }
}

let reference: readonly LoadDay[] | undefined
function referenceYear(): readonly LoadDay[] {
  reference ??= loadDays(dayStart('2025-01-01'), dayStart('2026-01-01'))
  return reference
}

/** Watts added up over the quarter hours of 2025 as written, against which every curve of the point is scaled. */
function rawTotal(writer: Writer, temperature: Temperature | null): number {
  let sum = 0
  writeDays(writer, referenceYear(), 15, temperature, (day, watts) => {
    const slots = day.minutes / 15
    for (let slot = 0; slot < slots; slot++) sum += watts[slot] ?? 0
  })
  return sum
}

type Fitted = { writer: Writer; scale: number }

/** The writer of a point, and the factor that brings what it writes in 2025 to the yearly energy. */
function fit(profile: Profile, seed: number, yearlyKwh: number, temperature: Temperature | null): Fitted {
  const wanted = yearlyKwh * 4000
  const home = DWELLINGS[profile]
  const kind = SITES[profile]
  let writer = kind ? site(kind, seed) : streetLighting(seed)
  if (home) {
    const sized = (size: number) => Math.max(0.3, Math.min(3, size))
    const guess = sized(yearlyKwh / home.usualKwh)
    const written = rawTotal(dwelling(home, seed, guess), temperature)
    writer = dwelling(home, seed, sized((guess * wanted) / written))
  }
  return { writer, scale: wanted / rawTotal(writer, temperature) }
}

/** Adds the slots of one day to the steps they fall in. */
function gather(sums: Float64Array, startsAt: number, step: number, width: number, day: LoadDay, watts: Float64Array) {
  const offset = day.startsAt - startsAt
  const first = Math.max(0, -offset / width)
  const last = Math.min(day.minutes, sums.length * step - offset) / width
  for (let slot = first; slot < last; slot++) {
    const at = Math.floor((offset + slot * width) / step)
    sums[at] = (sums[at] ?? 0) + (watts[slot] ?? 0)
  }
}

/**
 * Mean watts of a consumer over each step. `yearlyKwh` is met exactly in 2025 and nearly in other years; the curve of a
 * seed is the same whatever the span asked for. `temperature` must answer for any minute, the year 2025 included.
 */
export function loadWatts(
  profile: Profile,
  yearlyKwh: number,
  seed: string | number,
  startsAt: number,
  steps: number,
  step: Step,
  temperature: Temperature = NORMAL,
): Int32Array {
  const width = step % 15 === 0 ? 15 : 5
  if (startsAt % width !== 0) throw new RangeError(`a curve of ${step} minutes cannot start at minute ${startsAt}`)
  const result = new Int32Array(steps)
  if (yearlyKwh <= 0 || steps === 0) return result
  const air = WEATHERLESS.includes(profile) ? null : temperature
  const { writer, scale } = fit(profile, seedOf(seed), yearlyKwh, air)
  const sums = new Float64Array(steps)
  // One day earlier, for what still runs past midnight.
  const days = loadDays(startsAt - 1440, startsAt + steps * step)
  writeDays(writer, days, width, air, (day, watts) => gather(sums, startsAt, step, width, day, watts))
  for (let i = 0; i < steps; i++) result[i] = Math.round((sums[i] ?? 0) * scale * (width / step))
  return result
}
