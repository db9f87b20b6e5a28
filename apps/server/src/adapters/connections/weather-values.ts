import { z } from 'zod'
import { ConnectionFault } from './faults.ts'

/**
 * Our names, the provider's names, and the conversion: values that cover the hour before are shifted, metres of snow
 * become centimetres.
 */
const VARIABLE_MAPPINGS = {
  radiation: { theirs: 'shortwave_radiation', hourBefore: true, times: 1 },
  direct: { theirs: 'direct_radiation', hourBefore: true, times: 1 },
  diffuse: { theirs: 'diffuse_radiation', hourBefore: true, times: 1 },
  cloud: { theirs: 'cloud_cover', hourBefore: false, times: 1 },
  temperature: { theirs: 'temperature_2m', hourBefore: false, times: 1 },
  humidity: { theirs: 'relative_humidity_2m', hourBefore: false, times: 1 },
  wind: { theirs: 'wind_speed_10m', hourBefore: false, times: 1 },
  snow: { theirs: 'snow_depth', hourBefore: false, times: 100 },
  precipitation: { theirs: 'precipitation', hourBefore: true, times: 1 },
} as const
type VariableName = keyof typeof VARIABLE_MAPPINGS
const ENTRIES = Object.entries(VARIABLE_MAPPINGS) as [VariableName, (typeof VARIABLE_MAPPINGS)[VariableName]][] // entries() forgets the keys
export const WEATHER_VARIABLES = ENTRIES.map(([, { theirs }]) => theirs)

const HOUR_SECONDS = 3600
/** Sixteen days, the longest forecast available. */
const MAX_HOURS = 400

const Numbers = z.array(z.number().nullable()).max(MAX_HOURS)
const Answer = z.object({
  hourly: z.object({ time: z.array(z.int()).min(2).max(MAX_HOURS) }).catchall(Numbers),
})

export type ForecastValues = { from: string } & Record<VariableName, (number | null)[]>
export type WeatherForecast = { hours: number; values: ForecastValues }

const UNEXPECTED_ANSWER =
  'Le fournisseur météo répond autre chose qu’une prévision horaire\u00a0: vérifiez son adresse.'

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Rounded to the hundredth: a conversion from metres leaves no floating-point noise. */
const scaleAndRound = (value: number, factor: number) => Math.round(value * factor * 100) / 100

/** Every hour from the first to the last has a value; a missing one is empty, not zero. */
export function parseWeatherForecast(text: string): WeatherForecast {
  const read = Answer.safeParse(parseJsonOrUndefined(text))
  if (!read.success) throw new ConnectionFault(UNEXPECTED_ANSWER, { cause: read.error })
  const { time, ...columns } = read.data.hourly
  if (time.some((at) => at % HOUR_SECONDS !== 0)) throw new ConnectionFault(UNEXPECTED_ANSWER)
  const first = Math.min(...time) - HOUR_SECONDS
  const hours = (Math.max(...time) - first) / HOUR_SECONDS
  if (hours > MAX_HOURS) throw new ConnectionFault(UNEXPECTED_ANSWER)
  const row = ({ theirs, hourBefore, times: factor }: (typeof VARIABLE_MAPPINGS)[VariableName]) => {
    const out = new Array<number | null>(hours).fill(null)
    const given = columns[theirs] ?? []
    for (const [index, at] of time.entries()) {
      const value = given[index] ?? null
      const slot = (at - first) / HOUR_SECONDS - (hourBefore ? 1 : 0)
      if (value !== null && slot < hours) out[slot] = scaleAndRound(value, factor)
    }
    return out
  }
  const rows = Object.fromEntries(ENTRIES.map(([name, about]) => [name, row(about)])) as Record<
    VariableName,
    (number | null)[]
  > // same keys as the table
  if (rows.radiation.every((value) => value === null) && rows.temperature.every((value) => value === null))
    throw new ConnectionFault('Le fournisseur météo ne donne aucune valeur\u00a0: l’appel sera repris plus tard.')
  return { hours: time.length, values: { from: new Date(first * 1000).toISOString(), ...rows } }
}
