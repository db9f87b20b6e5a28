import type { IssuedWeather } from '../../forecast.ts'
import { computeClearSkyLight, computePvWatts } from '../../model/pv.ts'
import { drawBell } from '../../model/random.ts'
import { computeSunPosition } from '../../model/sun.ts'
import { createSky } from '../../model/weather.ts'
import type { PowerSeries, Step } from '../../series/series.ts'

export const NANTES = { latitude: 47.22, longitude: -1.55 }
const PLANT = { peakWatts: 36_400, azimuth: 205, tilt: 27, place: NANTES }
export const PEAK_WATTS = PLANT.peakWatts

/** Output of a plant under the synthetic weather of the model. */
export function createPlantSeries(startsAt: number, days: number, step: Step, seed = 'nantes'): PowerSeries {
  return { startsAt, step, watts: computePvWatts(PLANT, startsAt, (days * 1440) / step, step, createSky(seed, NANTES)) }
}

/** What was announced of that weather at six in the morning: the error grows with the days ahead. */
export function createIssuedWeather(day: number, days: number, seed = 'nantes'): IssuedWeather {
  const sky = createSky(seed, NANTES)
  const hours = Array.from({ length: days * 24 }, (_, hour) => {
    const minute = day * 1440 + hour * 60 + 30
    const height = computeSunPosition(minute, NANTES.latitude, NANTES.longitude).elevation
    const { clearness, temperature } = sky(minute)
    const off = 1 + (0.08 + 0.03 * Math.floor(hour / 24)) * drawBell(day, hour)
    return { ghi: computeClearSkyLight(height) * Math.min(1.1, Math.max(0.03, clearness * off)), temperature }
  })
  return {
    issuedAt: day * 1440 + 360,
    startsAt: day * 1440,
    step: 60,
    values: { ghi: hours.map(({ ghi }) => ghi), temperature: hours.map(({ temperature }) => temperature) },
  }
}

export const createIssuedWeatherRuns = (firstDay: number, days: number, ahead: number): IssuedWeather[] =>
  Array.from({ length: days }, (_, i) => createIssuedWeather(firstDay + i, ahead))
