import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import {
  type Connector,
  type ConnectorTools,
  defineConnectorField,
  type ConnectorSettings as Entered,
} from './connector.ts'
import { ConnectionFault, requireNotHtml, toConnectionFault } from './faults.ts'
import { parseWeatherForecast, WEATHER_VARIABLES, type WeatherForecast } from './weather-values.ts'

/** Used by the demonstration: the simulator beside the server. */
export const LOCAL_SIMULATOR = 'bac-a-sable'
export const WEATHER_ATTRIBUTION = 'Weather data by Open-Meteo.com (CC BY 4.0)'
const MAX_ATTEMPTS = 3
const FORECAST_DAYS = 8

const WeatherSettings = z.object({
  baseUrl: z.union([
    z.literal(LOCAL_SIMULATOR),
    z.url({ protocol: /^https?$/, error: 'Une adresse est attendue, par exemple https://api.open-meteo.com.' }),
  ]),
  key: z.string().trim().max(500).default(''),
})

export type Coordinates = { latitude: number; longitude: number }

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
