import { dayStart, stepsOfDay } from '../calendar/calendar.ts'
import type { Step } from '../series/series.ts'
import {
  type Coordinates,
  computeDiurnalFactor,
  computeNormalTemperature,
  computeSeason,
  computeSunniness,
} from './climate.ts'
import { drawDrift, drawUniform, hashIntegers, toSeed } from './random.ts'

export type { Coordinates }

type WeatherLabel = 'ensoleillé' | 'éclaircies' | 'nuageux' | 'pluie'
type DayWeather = {
  /** Part of the cloudless light that gets through, per quarter hour. */
  clearness: Float32Array
  /** Degrees, per hour. */
  temperature: Float32Array
  label: WeatherLabel
}
type Air = { clearness: number; temperature: number }
export type Sky = (minute: number) => Air

const WIND_KMH = 38

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

/** Hours since the same air passed the meridian: neighbours have the same weather, a few minutes apart. */
const getMeridianHours = ({ latitude, longitude }: Coordinates, minute: number) =>
  minute / 60 - (longitude * 78 - latitude * 33) / WIND_KMH

/** Weather of a region of some 200 km, interpolated at its borders. */
function computeRegionalWeather(seed: number, { latitude, longitude }: Coordinates, hours: number): number {
  const y = latitude / 2
  const x = longitude / 3
  const row = Math.floor(y)
  const column = Math.floor(x)
  let sum = 0
  let squares = 0
  for (let corner = 0; corner < 4; corner++) {
    const [r, c] = [row + (corner >> 1), column + (corner & 1)]
    const weight = (1 - Math.abs(y - r)) * (1 - Math.abs(x - c))
    sum += weight * drawDrift(hashIntegers(seed, r, c), 4, hours / 60)
    squares += weight * weight
  }
  return sum / Math.sqrt(squares)
}

/** High for an anticyclone that lasts, low for a front: regimes of five days, two days and one. */
function computePressure(seed: number, place: Coordinates, hours: number): number {
  const wide =
    0.7 * drawDrift(seed, 1, hours / 120) + 0.5 * drawDrift(seed, 2, hours / 50) + 0.25 * drawDrift(seed, 3, hours / 20)
  return 0.85 * wide + 0.45 * computeRegionalWeather(seed, place, hours)
}

/** Fog and low cloud under a winter anticyclone, which lift before or after noon. */
function computeFog(seed: number, { longitude }: Coordinates, minute: number, high: number, now: number): number {
  const winter = Math.max(0, -now)
  const local = minute + longitude * 4
  const day = Math.floor(local / 1440)
  if (high < 0.4 || drawUniform(seed, 9, day) > 0.45 * winter) return 1
  const lifts = 570 + 330 * drawUniform(seed, 10, day)
  return 1 - 0.68 * sigmoid((lifts - (local - day * 1440)) / 25)
}

function computeAir(seed: number, place: Coordinates, minute: number): Air {
  const hours = getMeridianHours(place, minute)
  const now = computeSeason(minute, place.latitude)
  const high = computePressure(seed, place, hours)
  const noonward = computeDiurnalFactor(place.longitude, minute)
  const swelling = 0.35 * Math.max(0, now) * Math.max(0, noonward)
  const open = high + computeSunniness(place) + 0.5 * now - swelling
  const clouds =
    0.6 * drawDrift(seed, 5, hours / 3) + 0.6 * drawDrift(seed, 6, hours) + 0.55 * drawDrift(seed, 7, hours * 3)
  const depth = clamp(0.63 - 0.06 * now - 0.16 * open + 0.09 * drawDrift(seed, 8, hours / 4), 0.12, 0.86)
  const shade = depth * sigmoid(2.8 * (0.9 * clouds - 1.15 * open))
  const texture = 1 + 0.3 * shade * drawDrift(seed, 13, hours * 1.7)
  const clearness = clamp((1 - shade) * texture * computeFog(seed, place, minute, open, now), 0.06, 1)
  const spell = 1.5 * drawDrift(seed, 11, hours / 340) + 1.9 * drawDrift(seed, 12, hours / 90)
  const sunny = sigmoid(1.5 * high)
  const temperature =
    computeNormalTemperature(place, minute) + spell + 1.3 * high * now + noonward * (sunny - 0.5) * (2.6 + 1.6 * now)
  return { clearness, temperature }
}

/** The air of a place at any minute, constant over each quarter hour; each day is computed once and cached. */
export function createSky(seed: string | number, place: Coordinates): Sky {
  const number = toSeed(seed)
  const days = new Map<number, Air[]>()
  return (minute) => {
    const day = Math.floor(minute / 1440)
    let quarters = days.get(day)
    if (!quarters) {
      quarters = Array.from({ length: 96 }, (_, i) => computeAir(number, place, day * 1440 + i * 15 + 7))
      days.set(day, quarters)
    }
    return quarters[Math.floor((minute - day * 1440) / 15)] as Air // a day has 96 quarters
  }
}

function getWeatherLabel(clearness: Float32Array): WeatherLabel {
  const from = Math.round(clearness.length * 0.36)
  const daylight = clearness.subarray(from, Math.round(clearness.length * 0.8))
  const mean = daylight.reduce((sum, value) => sum + value, 0) / daylight.length
  if (mean > 0.84) return 'ensoleillé'
  if (mean > 0.55) return 'éclaircies'
  return mean > 0.33 ? 'nuageux' : 'pluie'
}

/** Weather of one local day. */
export function computeDayWeather(seed: string | number, place: Coordinates, day: string): DayWeather {
  const number = toSeed(seed)
  const from = dayStart(day)
  const air = (step: Step) =>
    Array.from({ length: stepsOfDay(day, step) }, (_, i) => computeAir(number, place, from + i * step + (step >> 1)))
  const clearness = Float32Array.from(air(15), (quarter) => quarter.clearness)
  const temperature = Float32Array.from(air(60), (hour) => hour.temperature)
  return { clearness, temperature, label: getWeatherLabel(clearness) }
}
