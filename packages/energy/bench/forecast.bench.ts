import {
  createIssuedWeather,
  createIssuedWeatherRuns,
  createPlantSeries,
  NANTES,
  PEAK_WATTS,
} from '../src/forecast/testing/synthetic.ts'
import { computeForecast, fitForecastModel } from '../src/forecast.ts'

const FIRST = 19_000
const [DAYS, WEATHER, DAYS_AHEAD] = [730, 365, 8]
const ROUNDS = 3

/** Processor time of this thread in milliseconds, so that other load on the machine does not distort it. */
function measureCpu<T>(work: () => T): { cpu: number; value: T } {
  const before = process.threadCpuUsage()
  const value = work()
  const { user, system } = process.threadCpuUsage(before)
  return { cpu: (user + system) / 1000, value }
}

const measureBest = <T>(work: () => T) =>
  Array.from({ length: ROUNDS }, () => measureCpu(work)).sort((a, b) => a.cpu - b.cpu)[0]
const formatNumber = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value)).padStart(8)

const series = createPlantSeries(FIRST * 1440, DAYS, 60)
const weather = createIssuedWeatherRuns(FIRST + DAYS - WEATHER, WEATHER, DAYS_AHEAD)
const bestFit = measureBest(() => fitForecastModel({ series, place: NANTES, peakWatts: PEAK_WATTS, weather }))
if (!bestFit) throw new Error('nothing was measured')
const today = (FIRST + DAYS) * 1440
const forecastRequest = { issuedAt: today + 480, startsAt: today, steps: 7 * 24, step: 60 } as const
const run = createIssuedWeather(FIRST + DAYS, DAYS_AHEAD)
const forecasted = measureBest(() => computeForecast(bestFit.value, forecastRequest, series, run))
console.log(
  `  apprentissage de deux ans d’heures, un an de météo ${formatNumber(bestFit.cpu)} ms  (objectif : 5 000 ms)`,
)
console.log(
  `  prévision de sept jours                            ${formatNumber(forecasted?.cpu ?? 0)} ms  (objectif : 30 ms)`,
)
console.log(
  `  taille du modèle                                   ${formatNumber(JSON.stringify(bestFit.value).length / 1024)} ko`,
)
