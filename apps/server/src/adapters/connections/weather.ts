import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Connector, type Settings as Entered, field, type Tools } from './connector.ts'
import { ConnectionFault, faultOf, requireNoPage } from './faults.ts'
import { type Forecast, readForecast, VARIABLES } from './weather-values.ts'

/** In the settings of a demonstration: the stand-in beside the server. */
export const STAND_IN = 'bac-a-sable'
export const ATTRIBUTION = 'Weather data by Open-Meteo.com (CC BY 4.0)'
const TRIES = 3
const FORECAST_DAYS = 8

const Settings = z.object({
  baseUrl: z.union([
    z.literal(STAND_IN),
    z.url({ protocol: /^https?$/, error: 'Une adresse est attendue, par exemple https://api.open-meteo.com.' }),
  ]),
  key: z.string().trim().max(500).default(''),
})

export type Place = { latitude: number; longitude: number }

function addressOf({ weather }: Tools, { baseUrl = '', key = '' }: Entered, { latitude, longitude }: Place) {
  const base = baseUrl === STAND_IN ? weather.local : baseUrl
  if (!base) throw new ConnectionFault('Le bac à sable météo n’est pas démarré\u00a0: réessayez dans un instant.', {})
  const query = new URLSearchParams({
    latitude: latitude.toFixed(1),
    longitude: longitude.toFixed(1),
    hourly: VARIABLES.join(','),
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

async function once(tools: Tools, settings: Entered, place: Place): Promise<Forecast> {
  const url = addressOf(tools, settings, place)
  const call = { method: 'GET', headers: { accept: 'application/json' } }
  // The stand-in is ours and on this machine: the guard is for addresses that people give.
  const local = settings.baseUrl === STAND_IN
  const response = local
    ? await fetch(url, { signal: AbortSignal.timeout(10_000) })
    : await tools.outside.fetch(url, call)
  const text = await response.text()
  if (!response.ok) {
    requireNoPage(response, text)
    const [message, hopeless] = BY_STATUS[response.status] ?? [
      `Le fournisseur météo a répondu ${response.status}\u00a0: l’appel sera repris plus tard.`,
      false,
    ]
    throw new ConnectionFault(message, { hopeless })
  }
  requireNoPage(response, text)
  return readForecast(text)
}

/** What the provider foresees for a place; asked three times where it stumbles, not where it refuses. */
export async function askForecast(tools: Tools, settings: Entered, place: Place): Promise<Forecast> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(tools, settings, place)
    } catch (error) {
      const fault = faultOf(error)
      if (fault.hopeless || tries >= TRIES) throw fault
      // Within one run, for a hiccup; a longer silence is the run's own, minutes later.
      await sleep(100 * 2 ** tries)
    }
  }
}

const PARIS: Place = { latitude: 48.9, longitude: 2.4 }

export const weather: Connector = {
  kind: 'weather',
  label: 'Météo',
  about: `Relève toutes les six heures la météo prévue là où sont vos opérations. ${ATTRIBUTION}.`,
  can: ['fetch'],
  whereTo: ['baseUrl'],
  settings: Settings,
  fields: [
    field({
      name: 'baseUrl',
      label: 'Adresse du fournisseur',
      hint: 'Par exemple https://customer-api.open-meteo.com. L’adresse gratuite est réservée à un usage non commercial.',
    }),
    field({ name: 'key', label: 'Clé', type: 'secret', optional: true }),
  ],
  refusals({ outside, weather: { local } }, { baseUrl = '' }) {
    if (baseUrl === STAND_IN)
      return local ? [] : [{ field: 'baseUrl', message: 'Aucun bac à sable météo n’est démarré ici.' }]
    const message = outside.refusal(baseUrl)
    return message ? [{ field: 'baseUrl', message }] : []
  },
  async test(tools, { settings }) {
    const { hours } = await askForecast(tools, settings, PARIS)
    return {
      message: `Le fournisseur a donné ${hours} heures de prévision.`,
      hostKey: '',
      facts: [{ label: 'Source', value: ATTRIBUTION, ok: true }],
    }
  },
}
