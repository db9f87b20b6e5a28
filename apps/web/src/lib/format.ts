const NBSP = '\u00a0'
const ZONE = 'Europe/Paris'

export type Instant = Date | number | string
const toDate = (instant: Instant) => (instant instanceof Date ? instant : new Date(instant))

const numberFormats = new Map<string, Intl.NumberFormat>()
function numberFormat(minimum: number, maximum: number) {
  const key = `${minimum}-${maximum}`
  const known = numberFormats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: minimum, maximumFractionDigits: maximum })
  numberFormats.set(key, made)
  return made
}

/** 1234.5 gives « 1 234,5 »; with decimals given, exactly that many. */
export const number = (value: number, decimals?: number) =>
  numberFormat(decimals ?? 0, decimals ?? 3).format(Object.is(value, -0) ? 0 : value)

const withUnit = (value: string, unit: string) => value + NBSP + unit

/** Integer cents to euros. */
export const money = (cents: number) => withUnit(number(cents / 100, 2), '€')

type Scale = { unit: string; size: number; decimals: number }
const ENERGY: [Scale, ...Scale[]] = [
  { unit: 'Wh', size: 1, decimals: 0 },
  { unit: 'kWh', size: 1e3, decimals: 1 },
  { unit: 'MWh', size: 1e6, decimals: 2 },
]
const POWER: [Scale, ...Scale[]] = [
  { unit: 'W', size: 1, decimals: 0 },
  { unit: 'kW', size: 1e3, decimals: 2 },
  { unit: 'MW', size: 1e6, decimals: 2 },
]

/** The first unit in which the rounded figure stays under 1 000. */
function scaleOf(value: number, scales: [Scale, ...Scale[]]): Scale {
  const rounded = (scale: Scale) => Number((Math.abs(value) / scale.size).toFixed(scale.decimals))
  return scales.find((candidate) => rounded(candidate) < 1000) ?? scales.at(-1) ?? scales[0]
}
const inScale = (value: number, { unit, size, decimals }: Scale) => withUnit(number(value / size, decimals), unit)
const scaled = (value: number, scales: [Scale, ...Scale[]]) => inScale(value, scaleOf(value, scales))

export const energy = (wattHours: number) => scaled(wattHours, ENERGY)

/** Figures that stand side by side share a unit, that of the largest. */
export function energyLike(wattHours: number[]) {
  const scale = scaleOf(Math.max(0, ...wattHours.map(Math.abs)), ENERGY)
  return (value: number) => inScale(value, scale)
}

export const power = (watts: number) => scaled(watts, POWER)
export const kwh = (kilowattHours: number, decimals = 1) => withUnit(number(kilowattHours, decimals), 'kWh')

/** A ratio: 0.123 gives « 12,3 % ». */
export const percent = (ratio: number, decimals?: number) =>
  withUnit(numberFormat(decimals ?? 0, decimals ?? 1).format(ratio * 100), '%')

const dateFormat = new Intl.DateTimeFormat('fr-FR', {
  timeZone: ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
})
const timeFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' })
const monthFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: ZONE, month: 'long', year: 'numeric' })
const longDateFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: ZONE, dateStyle: 'full' })

export const date = (instant: Instant) => dateFormat.format(toDate(instant))
export const time = (instant: Instant) => timeFormat.format(toDate(instant))
export const dateTime = (instant: Instant) => `${date(instant)} à${NBSP}${time(instant)}`
export const month = (instant: Instant) => monthFormat.format(toDate(instant))
export const longDate = (instant: Instant) => longDateFormat.format(toDate(instant))

const relativeFormat = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto' })
const STEPS = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/** « il y a 5 minutes », « dans 2 jours », « à l’instant ». */
export function relative(instant: Instant, now: Instant = Date.now()) {
  const seconds = (toDate(instant).getTime() - toDate(now).getTime()) / 1000
  const step = STEPS.find((candidate) => Math.abs(seconds) >= candidate.seconds)
  return step ? relativeFormat.format(Math.trunc(seconds / step.seconds), step.unit) : 'à l’instant'
}

/** 0 and 1 are singular in French; give the plural where an s does not make it. */
export const plural = (count: number, singular: string, several = `${singular}s`) =>
  withUnit(number(count), Math.abs(count) < 2 ? singular : several)

/** Reads what people type, « 1 234,5 » as well as « 1234.5 »; anything doubtful is null. */
export function parseNumber(text: string) {
  const compact = text.replace(/[\s\u00a0\u202f]/g, '').replace(/^\u2212/, '-')
  const plain = /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(compact) ? compact.replaceAll('.', '') : compact
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(plain) ? Number(plain.replace(',', '.')) : null
}
