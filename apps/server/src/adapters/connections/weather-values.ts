import { z } from 'zod'
import { ConnectionFault } from './faults.ts'

/** Ours, theirs, and what stands between: those that cover the hour before are moved onto it, metres of snow are centimetres. */
const NAMES = {
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
type Name = keyof typeof NAMES
const ENTRIES = Object.entries(NAMES) as [Name, (typeof NAMES)[Name]][] // entries() forgets the keys
export const VARIABLES = ENTRIES.map(([, { theirs }]) => theirs)

const HOUR = 3600
/** Sixteen days, the longest that is given. */
const MOST_HOURS = 400

const Numbers = z.array(z.number().nullable()).max(MOST_HOURS)
const Answer = z.object({
  hourly: z.object({ time: z.array(z.int()).min(2).max(MOST_HOURS) }).catchall(Numbers),
})

export type Values = { from: string } & Record<Name, (number | null)[]>
export type Forecast = { hours: number; values: Values }

const SHAPE = 'Le fournisseur météo répond autre chose qu’une prévision horaire\u00a0: vérifiez son adresse.'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Rounded to the hundredth: what is moved from metres holds no tail of digits. */
const times = (value: number, factor: number) => Math.round(value * factor * 100) / 100

/** Every hour from the first to the last has its place; one that was not told stays empty, it is not a zero. */
export function readForecast(text: string): Forecast {
  const read = Answer.safeParse(parsed(text))
  if (!read.success) throw new ConnectionFault(SHAPE, { cause: read.error })
  const { time, ...columns } = read.data.hourly
  if (time.some((at) => at % HOUR !== 0)) throw new ConnectionFault(SHAPE)
  const first = Math.min(...time) - HOUR
  const hours = (Math.max(...time) - first) / HOUR
  if (hours > MOST_HOURS) throw new ConnectionFault(SHAPE)
  const row = ({ theirs, hourBefore, times: factor }: (typeof NAMES)[Name]) => {
    const out = new Array<number | null>(hours).fill(null)
    const given = columns[theirs] ?? []
    for (const [index, at] of time.entries()) {
      const value = given[index] ?? null
      const slot = (at - first) / HOUR - (hourBefore ? 1 : 0)
      if (value !== null && slot < hours) out[slot] = times(value, factor)
    }
    return out
  }
  const rows = Object.fromEntries(ENTRIES.map(([name, about]) => [name, row(about)])) as Record<Name, (number | null)[]> // as the table
  if (rows.radiation.every((value) => value === null) && rows.temperature.every((value) => value === null))
    throw new ConnectionFault('Le fournisseur météo ne donne aucune valeur\u00a0: l’appel sera repris plus tard.')
  return { hours: time.length, values: { from: new Date(first * 1000).toISOString(), ...rows } }
}
