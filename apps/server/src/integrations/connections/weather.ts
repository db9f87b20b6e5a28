import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import {
  ConnectionFault,
  type Connector,
  type ConnectorTools,
  defineConnectorField,
  type ConnectorSettings as Entered,
  requireNotHtml,
  toConnectionFault,
} from './connector.ts'

/** Used by the demonstration: the simulator beside the server. */
export const LOCAL_SIMULATOR = 'bac-a-sable'
const WEATHER_ATTRIBUTION = 'Weather data by Open-Meteo.com (CC BY 4.0)'
const MAX_ATTEMPTS = 3
const FORECAST_DAYS = 8

const WeatherSettings = z.object({
  baseUrl: z.union([
    z.literal(LOCAL_SIMULATOR),
    z.url({ protocol: /^https?$/, error: 'Une adresse est attendue, par exemple https://api.open-meteo.com.' }),
  ]),
  key: z.string().trim().max(500).default(''),
})

type Coordinates = { latitude: number; longitude: number }

function buildForecastUrl(
  { weather }: ConnectorTools,
  { baseUrl = '', key = '' }: Entered,
  { latitude, longitude }: Coordinates,
) {
  const base = baseUrl === LOCAL_SIMULATOR ? weather.local : baseUrl
  if (!base) throw new ConnectionFault('Le bac à sable météo n’est pas démarré\u00a0: réessayez dans un instant.', {})
  const query = new URLSearchParams({
    latitude: latitude.toFixed(1),
    longitude: longitude.toFixed(1),
    hourly: WEATHER_VARIABLES.join(','),
    forecast_days: String(FORECAST_DAYS),
    timeformat: 'unixtime',
    ...(key && { apikey: key }),
  })
  return `${base.replace(/\/$/, '')}/v1/forecast?${query}`
}

const BY_STATUS: Record<number, [message: string, hopeless: boolean]> = {
  400: ['Le fournisseur météo refuse la demande\u00a0: vérifiez l’adresse, sans rien après le nom du serveur.', true],
  401: ['Le fournisseur météo refuse cette clé\u00a0: vérifiez-la, ou créez-en une autre.', true],
  403: ['Le fournisseur météo refuse cette clé\u00a0: vérifiez-la, ou créez-en une autre.', true],
  429: ['Le fournisseur météo limite les appels\u00a0: l’appel sera repris plus tard, ou prenez un abonnement.', false],
}

async function fetchForecastOnce(
  tools: ConnectorTools,
  settings: Entered,
  place: Coordinates,
): Promise<WeatherForecast> {
  const url = buildForecastUrl(tools, settings, place)
  const call = { method: 'GET', headers: { accept: 'application/json' } }
  // The simulator is local and trusted: the address guard is for addresses entered by people.
  const local = settings.baseUrl === LOCAL_SIMULATOR
  const response = local
    ? await fetch(url, { signal: AbortSignal.timeout(10_000) })
    : await tools.outside.fetch(url, call)
  const text = await response.text()
  if (!response.ok) {
    requireNotHtml(response, text)
    const [message, hopeless] = BY_STATUS[response.status] ?? [
      `Le fournisseur météo a répondu ${response.status}\u00a0: l’appel sera repris plus tard.`,
      false,
    ]
    throw new ConnectionFault(message, { hopeless })
  }
  requireNotHtml(response, text)
  return parseWeatherForecast(text)
}

/** The forecast of the provider for a place; tried three times on a temporary failure, not on a refusal. */
export async function fetchWeatherForecast(
  tools: ConnectorTools,
  settings: Entered,
  place: Coordinates,
): Promise<WeatherForecast> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetchForecastOnce(tools, settings, place)
    } catch (error) {
      const fault = toConnectionFault(error)
      if (fault.hopeless || tries >= MAX_ATTEMPTS) throw fault
      // A short pause within a run; longer outages are retried by the run itself, minutes later.
      await sleep(100 * 2 ** tries)
    }
  }
}

const PARIS: Coordinates = { latitude: 48.9, longitude: 2.4 }

export const weatherConnector: Connector = {
  kind: 'weather',
  label: 'Météo',
  about: `Relève toutes les six heures la météo prévue là où sont vos opérations. ${WEATHER_ATTRIBUTION}.`,
  can: ['fetch'],
  whereTo: ['baseUrl'],
  settings: WeatherSettings,
  fields: [
    defineConnectorField({
      name: 'baseUrl',
      label: 'Adresse du fournisseur',
      hint: 'Par exemple https://customer-api.open-meteo.com. L’adresse gratuite est réservée à un usage non commercial.',
    }),
    defineConnectorField({ name: 'key', label: 'Clé', type: 'secret', optional: true }),
  ],
  refusals({ outside, weather: { local } }, { baseUrl = '' }) {
    if (baseUrl === LOCAL_SIMULATOR)
      return local ? [] : [{ field: 'baseUrl', message: 'Aucun bac à sable météo n’est démarré ici.' }]
    const message = outside.refusal(baseUrl)
    return message ? [{ field: 'baseUrl', message }] : []
  },
  async test(tools, { settings }) {
    const { hours } = await fetchWeatherForecast(tools, settings, PARIS)
    return {
      message: `Le fournisseur a donné ${hours} heures de prévision.`,
      hostKey: '',
      facts: [{ label: 'Source', value: WEATHER_ATTRIBUTION, ok: true }],
    }
  },
}

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

type ForecastValues = { from: string } & Record<VariableName, (number | null)[]>
type WeatherForecast = { hours: number; values: ForecastValues }

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
