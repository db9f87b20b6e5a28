import { number, withUnit } from '@voisol/contract/numbers'

export { energy, energyLike, kwh, money, number, percent, power } from '@voisol/contract/numbers'

const NBSP = '\u00a0'
const ZONE = 'Europe/Paris'

export type Instant = Date | number | string
const toDate = (instant: Instant) => (instant instanceof Date ? instant : new Date(instant))

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
