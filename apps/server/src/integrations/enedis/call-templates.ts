import type { SeriesType } from './enedis-types.ts'

/** URLs of the interfaces, as data: what could not be verified is changed only here. */
export const ENEDIS_HOSTS = {
  production: 'https://gw.ext.prod.api.enedis.fr',
  sandbox: 'https://gw.ext.prod-sandbox.api.enedis.fr',
} as const

export type EnedisInterface = 'dataconnect-v2' | 'dataconnect-v1' | 'holder'
type DateStyle = 'day' | 'compact'
export type CallTemplate = {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  query?: Record<string, string>
  dates: DateStyle
}

const defineGet = (path: string, query: Record<string, string>, dates: DateStyle = 'day'): CallTemplate => ({
  method: 'GET',
  path,
  query,
  dates,
})
const V2 = { pointId: '{prm}', dateDebut: '{from}', dateFin: '{to}' }
const V5 = { usage_point_id: '{prm}', start: '{from}', end: '{to}' }
const v1 = '/mesure_synchrone_auto/v1/metering_data'
const v2 = '/mesure_synchrone_auto/v2'
const holder = '/mesures/v2/metering_data'

type Measures = Record<'consumption' | 'production', CallTemplate>
/** Load curves and daily energies, by the interface that gives them. */
export const CURVE_TEMPLATES: Record<EnedisInterface, Measures> = {
  'dataconnect-v2': {
    consumption: defineGet(`${v2}/courbe_de_charge_consommation`, V2),
    production: defineGet(`${v2}/courbe_de_charge_production`, V2),
  },
  'dataconnect-v1': {
    consumption: defineGet(`${v1}/consumption_load_curve`, V5),
    production: defineGet(`${v1}/production_load_curve`, V5),
  },
  holder: {
    consumption: defineGet(`${holder}/consumption_load_curve`, V5),
    production: defineGet(`${holder}/production_load_curve`, V5),
  },
}
export const DAILY_ENERGY_TEMPLATES: Record<EnedisInterface, Measures> = {
  'dataconnect-v2': {
    consumption: defineGet(`${v2}/consommation_quotidienne`, V2),
    production: defineGet(`${v2}/production_quotidienne`, V2),
  },
  'dataconnect-v1': {
    consumption: defineGet(`${v1}/daily_consumption`, V5),
    production: defineGet(`${v1}/daily_production`, V5),
  },
  holder: {
    consumption: defineGet(`${holder}/daily_consumption`, V5),
    production: defineGet(`${holder}/daily_production`, V5),
  },
}

const acc = '/collective_self_consumption/v4/agreements'
const period = { start: '{from}', end: '{to}' }
export const OTHER_TEMPLATES = {
  token: { method: 'POST', path: '/oauth2/v3/token', dates: 'day' },
  perimeter: { method: 'POST', path: '/usage_point_id_perimeter/v1/usage_point_id', dates: 'day' },
  services: { method: 'POST', path: '/subscribed_services/v1', dates: 'day' },
  agreements: defineGet(acc, {}),
  agreement: defineGet(`${acc}/{acc}`, {}),
  series: defineGet(`${acc}/{acc}/definitive_load_curves`, { ...period, type: '{type}', prm: '{prm}' }, 'compact'),
  quantities: defineGet(
    `${acc}/{acc}/definitive_active_energy/{role}/{prm}`,
    { ...period, type: '{types}' },
    'compact',
  ),
  keys: { method: 'PUT', path: `${acc}/{acc}/repartition_keys/{prm}`, dates: 'day' },
} satisfies Record<string, CallTemplate>

/** The series requested of a point on each side. */
export const SERIES_TYPES_BY_ROLE: Record<'cons' | 'prod', SeriesType[]> = {
  cons: ['cons', 'autocons', 'complement'],
  prod: ['prod', 'autocons', 'surplus'],
}

export type EnedisHosts = Record<'local' | 'sandbox' | 'production', string | null>

const trimTrailingSlash = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

type EnedisHostSettings = Partial<
  Record<'ENEDIS_SANDBOX_URL' | 'ENEDIS_SANDBOX_HOST' | 'ENEDIS_PRODUCTION_HOST', string | undefined>
>

/** `local` may be set later: it is filled in once the simulator has started. */
export const getEnedisHosts = (config: EnedisHostSettings): EnedisHosts => ({
  local: trimTrailingSlash(config.ENEDIS_SANDBOX_URL),
  sandbox: trimTrailingSlash(config.ENEDIS_SANDBOX_HOST),
  production: trimTrailingSlash(config.ENEDIS_PRODUCTION_HOST),
})

/** Calls that the distributor allows a client. */
export const ENEDIS_QUOTAS = { second: 5, hour: 10_000 } as const
