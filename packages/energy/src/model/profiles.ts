import { dayStart } from '../calendar/calendar.ts'
import type { Step } from '../series/series.ts'
import { computeNormalTemperature, FRANCE_CENTRE } from './climate.ts'
import { createDwellingWriter, type DayLoadWriter, type Dwelling } from './dwelling.ts'
import { listModelDays, type ModelDay } from './load-day.ts'
import { toSeed } from './random.ts'
import { createDayLoad, moveToNextDay } from './sheet.ts'
import { createSiteWriter, createStreetLightingWriter } from './site.ts'
import * as kinds from './site-kinds.ts'

export const CONSUMPTION_PROFILES = [
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
export type ConsumptionProfile = (typeof CONSUMPTION_PROFILES)[number]

export const CONSUMPTION_PROFILE_LABELS: Record<ConsumptionProfile, string> = {
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

const NO_HEATING = { kind: 'none', wattsPerDegree: 0 } as const
const DWELLINGS: Partial<Record<ConsumptionProfile, Dwelling>> = {
  household: { usualKwh: 2600, tankShare: 0.32, heating: NO_HEATING, car: false },
  'household-electric-heating': {
    usualKwh: 7500,
    tankShare: 0.9,
    heating: { kind: 'electric', wattsPerDegree: 95 },
    car: false,
  },
  'heat-pump': { usualKwh: 7000, tankShare: 0.75, heating: { kind: 'pump', wattsPerDegree: 190 }, car: false },
  'ev-household': { usualKwh: 5600, tankShare: 0.6, heating: NO_HEATING, car: true },
}
const SITES: Partial<Record<ConsumptionProfile, kinds.SiteKind>> = {
  office: kinds.OFFICE,
  shop: kinds.SHOP,
  bakery: kinds.BAKERY,
  restaurant: kinds.RESTAURANT,
  school: kinds.SCHOOL,
  workshop: kinds.WORKSHOP,
  'cold-store': kinds.COLD_STORE,
  'common-parts': kinds.COMMON_PARTS,
}

export type TemperatureAt = (minute: number) => number
const NORMAL_TEMPERATURE: TemperatureAt = (minute) => computeNormalTemperature(FRANCE_CENTRE, minute)

const WEATHER_INDEPENDENT_PROFILES: readonly ConsumptionProfile[] = ['household', 'ev-household', 'street-lighting']

/** Writes each day in turn and passes its slots to `take`. */
function writeDays(
  writer: DayLoadWriter,
  days: readonly ModelDay[],
  width: number,
  temperature: TemperatureAt | null,
  take: (day: ModelDay, watts: Float64Array) => void,
): void {
  const sheet = createDayLoad(width)
  const hours = new Float64Array(25)
  for (const day of days) {
    if (temperature) for (let hour = 0; hour < 25; hour++) hours[hour] = temperature(day.startsAt + hour * 60 + 30)
    writer(sheet, day, hours)
    take(day, sheet.watts)
    moveToNextDay(sheet, day)
  }
}

let reference: readonly ModelDay[] | undefined
function getReferenceYear(): readonly ModelDay[] {
  reference ??= listModelDays(dayStart('2025-01-01'), dayStart('2026-01-01'))
  return reference
}

/**
 * Sum of the watts over the quarter hours of 2025 before scaling, which gives the scale of every curve of the point.
 */
function sumRawYear(writer: DayLoadWriter, temperature: TemperatureAt | null): number {
  let sum = 0
  writeDays(writer, getReferenceYear(), 15, temperature, (day, watts) => {
    const slots = day.minutes / 15
    for (let slot = 0; slot < slots; slot++) sum += watts[slot] ?? 0
  })
  return sum
}

type FittedProfile = { writer: DayLoadWriter; scale: number }

/** The writer of a point, and the factor that scales what it writes in 2025 to the yearly energy. */
function fitProfile(
  profile: ConsumptionProfile,
  seed: number,
  yearlyKwh: number,
  temperature: TemperatureAt | null,
): FittedProfile {
  const wanted = yearlyKwh * 4000
  const home = DWELLINGS[profile]
  const kind = SITES[profile]
  let writer = kind ? createSiteWriter(kind, seed) : createStreetLightingWriter(seed)
  if (home) {
    const sized = (size: number) => Math.max(0.3, Math.min(3, size))
    const guess = sized(yearlyKwh / home.usualKwh)
    const written = sumRawYear(createDwellingWriter(home, seed, guess), temperature)
    writer = createDwellingWriter(home, seed, sized((guess * wanted) / written))
  }
  return { writer, scale: wanted / sumRawYear(writer, temperature) }
}

/** Adds the slots of one day to the steps they fall in. */
function addSlotsToSteps(
  sums: Float64Array,
  startsAt: number,
  step: number,
  width: number,
  day: ModelDay,
  watts: Float64Array,
) {
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
 * seed is the same whatever the period asked for. `temperature` must answer for any minute, the year 2025 included.
 */
export function computeLoadWatts(
  profile: ConsumptionProfile,
  yearlyKwh: number,
  seed: string | number,
  startsAt: number,
  steps: number,
  step: Step,
  temperature: TemperatureAt = NORMAL_TEMPERATURE,
): Int32Array {
  const width = step % 15 === 0 ? 15 : 5
  if (startsAt % width !== 0) throw new RangeError(`a curve of ${step} minutes cannot start at minute ${startsAt}`)
  const result = new Int32Array(steps)
  if (yearlyKwh <= 0 || steps === 0) return result
  const air = WEATHER_INDEPENDENT_PROFILES.includes(profile) ? null : temperature
  const { writer, scale } = fitProfile(profile, toSeed(seed), yearlyKwh, air)
  const sums = new Float64Array(steps)
  // One day earlier, for loads that still run past midnight.
  const days = listModelDays(startsAt - 1440, startsAt + steps * step)
  writeDays(writer, days, width, air, (day, watts) => addSlotsToSteps(sums, startsAt, step, width, day, watts))
  for (let i = 0; i < steps; i++) result[i] = Math.round((sums[i] ?? 0) * scale * (width / step))
  return result
}
