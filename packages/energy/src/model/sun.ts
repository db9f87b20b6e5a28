import { dayStart } from '../calendar/calendar.ts'

const RADIANS = Math.PI / 180
/** 1 January 2000 at noon UTC, from which the sun's mean motion is counted. */
const EPOCH_2000 = 15_778_800

type SunPosition = { elevation: number; azimuth: number }

/** Declination (radians) and equation of time (minutes), to about a hundredth of a degree between 1950 and 2050. */
function computeSunOrbit(minute: number): { declination: number; equation: number } {
  const days = (minute - EPOCH_2000) / 1440
  const anomaly = (357.529 + 0.98560028 * days) * RADIANS
  const mean = 280.459 + 0.98564736 * days
  const longitude = (mean + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS
  const tilt = (23.439 - 3.6e-7 * days) * RADIANS
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(longitude), Math.cos(longitude)) / RADIANS
  const lead = mean - ascension
  return {
    declination: Math.asin(Math.sin(tilt) * Math.sin(longitude)),
    equation: 4 * (lead - 360 * Math.round(lead / 360)),
  }
}

/** Where the sun stands, in degrees: height above the horizon without refraction, azimuth from north, clockwise. */
export function computeSunPosition(minute: number, latitude: number, longitude: number): SunPosition {
  const { declination, equation } = computeSunOrbit(minute)
  const solar = (((minute % 1440) + 1440) % 1440) + equation + 4 * longitude
  const angle = (solar / 4 - 180) * RADIANS
  const phi = latitude * RADIANS
  const sine = Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(angle)
  const east = -Math.cos(declination) * Math.sin(angle)
  const north = Math.sin(declination) * Math.cos(phi) - Math.cos(declination) * Math.sin(phi) * Math.cos(angle)
  const azimuth = Math.atan2(east, north) / RADIANS
  return { elevation: Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS, azimuth: (azimuth + 360) % 360 }
}

/** Upper limb on the horizon, with the usual refraction. */
const HORIZON = -0.833 * RADIANS

/** `side` −1 for the rise, +1 for the set; null where the sun does not cross the horizon that day. */
function computeHorizonCrossing(day: string, latitude: number, longitude: number, side: -1 | 1): number | null {
  const noon = dayStart(day) + 720
  const phi = latitude * RADIANS
  let minute = noon
  for (let round = 0; round < 3; round++) {
    const { declination, equation } = computeSunOrbit(minute)
    const ground = Math.cos(phi) * Math.cos(declination)
    const cosine = (Math.sin(HORIZON) - Math.sin(phi) * Math.sin(declination)) / ground
    if (cosine < -1 || cosine > 1) return null
    const utcNoon = Math.floor(noon / 1440) * 1440 + 720
    minute = utcNoon - equation - 4 * longitude + (side * 4 * Math.acos(cosine)) / RADIANS
  }
  return Math.round(minute)
}

/** Epoch minute (UTC) of the sunrise of a local day. */
export const computeSunrise = (day: string, latitude: number, longitude: number) =>
  computeHorizonCrossing(day, latitude, longitude, -1)

/** Epoch minute (UTC) of the sunset of a local day. */
export const computeSunset = (day: string, latitude: number, longitude: number) =>
  computeHorizonCrossing(day, latitude, longitude, 1)
