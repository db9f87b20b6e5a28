import type { Run } from '../../forecast.ts'
import { clearSky, pvWatts } from '../../model/pv.ts'
import { bell } from '../../model/random.ts'
import { sunPosition } from '../../model/sun.ts'
import { skyOf } from '../../model/weather.ts'
import type { Series, Step } from '../../series/series.ts'

export const NANTES = { latitude: 47.22, longitude: -1.55 }
const PLANT = { peakWatts: 36_400, azimuth: 205, tilt: 27, place: NANTES }
export const PEAK = PLANT.peakWatts

/** A plant under the model's weather. */
export function plantSeries(startsAt: number, days: number, step: Step, seed = 'nantes'): Series {
  return { startsAt, step, watts: pvWatts(PLANT, startsAt, (days * 1440) / step, step, skyOf(seed, NANTES)) }
}

/** What was announced of that weather at six in the morning: the error grows with the days ahead. */
export function runAt(day: number, days: number, seed = 'nantes'): Run {
  const sky = skyOf(seed, NANTES)
  const hours = Array.from({ length: days * 24 }, (_, hour) => {
    const minute = day * 1440 + hour * 60 + 30
    const height = sunPosition(minute, NANTES.latitude, NANTES.longitude).elevation
    const { clearness, temperature } = sky(minute)
    const off = 1 + (0.08 + 0.03 * Math.floor(hour / 24)) * bell(day, hour)
    return { ghi: clearSky(height) * Math.min(1.1, Math.max(0.03, clearness * off)), temperature }
  })
  return {
    issuedAt: day * 1440 + 360,
    startsAt: day * 1440,
    step: 60,
    values: { ghi: hours.map(({ ghi }) => ghi), temperature: hours.map(({ temperature }) => temperature) },
  }
}

export const runsOf = (firstDay: number, days: number, ahead: number): Run[] =>
  Array.from({ length: days }, (_, i) => runAt(firstDay + i, ahead))
