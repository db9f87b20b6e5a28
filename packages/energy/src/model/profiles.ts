import { addDays, dayStart, holidays, localTime, stepsOfDay } from '../calendar/calendar.ts'
import type { Step } from '../series/series.ts'
import { computeNormalTemperature, FRANCE_CENTRE } from './climate.ts'
import { createDwellingWriter, type DayLoadWriter, type Dwelling } from './dwelling-load.ts'
import { createDayLoad, type DayLoad, type ModelDay, moveToNextDay, toWallMinute } from './load-day.ts'
import { drawBell, drawDrift, drawUniform, toSeed } from './random.ts'
import type { ActivityCurve, SiteKind } from './site-kinds.ts'
import * as kinds from './site-kinds.ts'
import { computeSunrise, computeSunset } from './sun.ts'

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
/** First and last day, as month × 100 + date, of the breaks of a school year, the same every year. */
const SCHOOL_BREAKS = [
  [101, 105],
  [214, 301],
  [411, 427],
  [705, 831],
  [1018, 1103],
  [1220, 1231],
] as const

const toWallClock = (minute: number | null, fallback: number) =>
  minute === null ? fallback : localTime(minute).minuteOfDay

function toModelDay(day: string, off: Set<string>): ModelDay {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const startsAt = dayStart(day)
  // Taken at noon, so that a clock change at night has no effect.
  const noon = startsAt + 720
  const index = Math.floor(noon / 1440)
  const code = month * 100 + date
  return {
    day,
    index,
    startsAt,
    minutes: stepsOfDay(day, 5) * 5,
    year,
    month,
    ordinal: index - Math.floor((dayStart(`${year}-01-01`) + 720) / 1440) + 1,
    weekday: localTime(noon).weekday,
    holiday: off.has(day),
    vacation: SCHOOL_BREAKS.some(([from, to]) => code >= from && code <= to),
    sunrise: toWallClock(computeSunrise(day, FRANCE_CENTRE.latitude, FRANCE_CENTRE.longitude), 0),
    sunset: toWallClock(computeSunset(day, FRANCE_CENTRE.latitude, FRANCE_CENTRE.longitude), 1440),
  }
}

function buildModelDays(from: number, to: number): ModelDay[] {
  const days: ModelDay[] = []
  const off = new Set<string>()
  let year = ''
  for (let day = localTime(from).day; dayStart(day) < to; day = addDays(day, 1)) {
    if (day.slice(0, 4) !== year) {
      year = day.slice(0, 4)
      for (const holiday of holidays(Number(year))) off.add(holiday)
    }
    days.push(toModelDay(day, off))
  }
  return days
}

let cachedDays: { from: number; to: number; days: readonly ModelDay[] } = { from: 0, to: 0, days: [] }

/**
 * The days that overlap [from, to), in epoch minutes; cached for the next point, which mostly asks for the same period.
 */
function listModelDays(from: number, to: number): readonly ModelDay[] {
  if (cachedDays.from !== from || cachedDays.to !== to) cachedDays = { from, to, days: buildModelDays(from, to) }
  return cachedDays.days
}

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
    const limitSize = (size: number) => Math.max(0.3, Math.min(3, size))
    const guess = limitSize(yearlyKwh / home.usualKwh)
    const written = sumRawYear(createDwellingWriter(home, seed, guess), temperature)
    writer = createDwellingWriter(home, seed, limitSize((guess * wanted) / written))
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

/** [hours, level] of each corner. */
const parseActivityCurve = (text: ActivityCurve): [number, number][] =>
  text
    .split(', ')
    .filter((corner) => corner !== '')
    .map((corner) => {
      const [hours = 0, minutes = 0, percent = 0] = corner.split(/[: ]/).map(Number)
      return [hours + minutes / 60, percent / 100]
    })

/** Levels per quarter hour. */
function buildActivityLevels(text: ActivityCurve, shift: number): Float64Array {
  const corners = parseActivityCurve(text)
  return Float64Array.from({ length: 96 }, (_, quarter) => {
    const hour = quarter / 4 + 0.125 - shift / 60
    const next = corners.findIndex(([at]) => at > hour)
    const [after, before] = [corners[next], corners[next - 1]]
    if (!after || !before) return 0
    return before[1] + ((after[1] - before[1]) * (hour - before[0])) / (after[0] - before[0])
  })
}

/** Three weeks around 15 August and the last week of the year. */
const isClosed = ({ month, ordinal }: ModelDay) => (month === 8 && ordinal < 236) || ordinal >= 358 || ordinal <= 1

function getActivityLevel(site: SiteKind, day: ModelDay): number {
  if (site.closes && isClosed(day)) return 0.04
  if (day.holiday) return site.holiday
  return day.vacation ? site.vacation : 1
}

/** Full use of a site before it is scaled to its yearly energy: any number would do. */
const FULL_USE_WATTS = 10_000

function buildWeek(site: SiteKind, shift: number): Float64Array[] {
  const closed = buildActivityLevels('', 0)
  const of = (corners: ActivityCurve | undefined) =>
    corners === undefined ? undefined : buildActivityLevels(corners, shift)
  const work = buildActivityLevels(site.work, shift)
  const monday = of(site.monday) ?? work
  const wednesday = of(site.wednesday) ?? work
  return [monday, work, wednesday, work, work, of(site.saturday) ?? closed, of(site.sunday) ?? closed]
}

type SiteTraits = { site: SiteKind; seed: number; phase: number; heat: number; cool: number; week: Float64Array[] }

function computeSlotLevel(traits: SiteTraits, day: ModelDay, since: number, outside: number, active: number): number {
  const { site, seed } = traits
  const wall = toWallMinute(day, since)
  const quarter = Math.floor(since / 15)
  const open = (traits.week[day.weekday - 1]?.[Math.floor(wall / 15)] ?? 0) * active
  const comfort = Math.max(0, 15 - outside) * traits.heat + Math.max(0, outside - (site.coolsAbove ?? 22)) * traits.cool
  const dark = wall < day.sunrise || wall > day.sunset ? site.light : 0
  const slow = 1 + 0.05 * drawDrift(seed, 71, (day.startsAt + since) / 150)
  let level = (site.base + open) * slow + comfort * (0.33 + 0.67 * Math.min(1, open)) + dark
  if (site.cycle) {
    const turn = (day.startsAt + since + traits.phase) / site.cycle.minutes
    level += site.cycle.level * (0.5 + 0.5 * Math.sin(2 * Math.PI * turn + drawDrift(seed, 73, turn / 9)))
  }
  return level * (1 + site.grain * drawBell(seed, 72, day.index, quarter) * (open > 0.05 || site.cycle ? 1 : 0.4))
}

/** The days of a workplace or a shared installation. */
function createSiteWriter(kind: SiteKind, seed: number): DayLoadWriter {
  const traits = {
    site: kind,
    seed,
    phase: 500 * drawUniform(seed, 61),
    heat: kind.heat * (0.5 + drawUniform(seed, 62)),
    cool: kind.cool * (0.4 + 1.2 * drawUniform(seed, 63)),
    week: buildWeek(kind, kind.shift * 0.6 * drawBell(seed, 64)),
  }
  return (sheet: DayLoad, day: ModelDay, temperatures: Float64Array) => {
    const active = getActivityLevel(kind, day) * (1 + 0.05 * drawBell(seed, 65, day.index))
    for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
      const since = slot * sheet.width
      const level = computeSlotLevel(traits, day, since, temperatures[Math.floor(since / 60)] ?? 15, active)
      sheet.watts[slot] = (sheet.watts[slot] ?? 0) + FULL_USE_WATTS * Math.max(0, level)
    }
  }
}

/** Lamps from dusk to dawn: dimmed at night, or off between midnight and five in many towns. */
function createStreetLightingWriter(seed: number): DayLoadWriter {
  const off = drawUniform(seed, 66) < 0.4
  const dimmed = off ? 0.015 : 0.55
  const delay = 6 + 14 * drawUniform(seed, 67)
  return (sheet, day) => {
    for (let slot = 0; slot * sheet.width < day.minutes; slot++) {
      const wall = toWallMinute(day, slot * sheet.width)
      const lit = (from: number, to: number) =>
        Math.max(0, Math.min(wall + sheet.width, to) - Math.max(wall, from)) / sheet.width
      const night = wall >= (off ? 0 : 1380) || wall < 300
      const on = lit(0, day.sunrise - delay) + lit(day.sunset + delay, 1440)
      const level = on * (night && (wall < 300 || !off) ? dimmed : 1) + 0.01
      sheet.watts[slot] = FULL_USE_WATTS * level * (1 + 0.004 * drawBell(seed, 68, day.index, Math.floor(wall / 15)))
    }
  }
}
