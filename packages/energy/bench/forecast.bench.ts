import { NANTES, PEAK, plantSeries, runAt, runsOf } from '../src/forecast/testing/synthetic.ts'
import { fitForecast, forecast } from '../src/forecast.ts'

const FIRST = 19_000
const [DAYS, WEATHER, AHEAD] = [730, 365, 8]
const ROUNDS = 3

/** Milliseconds of this thread's own processor time: it holds on a busy machine too. */
function timed<T>(work: () => T): { cpu: number; value: T } {
  const before = process.threadCpuUsage()
  const value = work()
  const { user, system } = process.threadCpuUsage(before)
  return { cpu: (user + system) / 1000, value }
}

const least = <T>(work: () => T) => Array.from({ length: ROUNDS }, () => timed(work)).sort((a, b) => a.cpu - b.cpu)[0]
const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value)).padStart(8)

const series = plantSeries(FIRST * 1440, DAYS, 60)
const weather = runsOf(FIRST + DAYS - WEATHER, WEATHER, AHEAD)
const fitted = least(() => fitForecast({ series, place: NANTES, peakWatts: PEAK, weather }))
if (!fitted) throw new Error('nothing was measured')
const today = (FIRST + DAYS) * 1440
const ask = { issuedAt: today + 480, startsAt: today, steps: 7 * 24, step: 60 } as const
const run = runAt(FIRST + DAYS, AHEAD)
const said = least(() => forecast(fitted.value, ask, series, run))
console.log(`  apprentissage de deux ans d’heures, un an de météo ${number(fitted.cpu)} ms  (objectif : 5 000 ms)`)
console.log(`  prévision de sept jours                            ${number(said?.cpu ?? 0)} ms  (objectif : 30 ms)`)
console.log(
  `  taille du modèle                                   ${number(JSON.stringify(fitted.value).length / 1024)} ko`,
)
