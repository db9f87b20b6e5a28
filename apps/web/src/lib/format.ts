import { formatNumber, withUnit } from '@voisol/contract/number-formats'

export {
  createEnergyFormatter,
  formatEnergy,
  formatKwh,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPower,
} from '@voisol/contract/number-formats'

const NBSP = '\u00a0'
const TIME_ZONE = 'Europe/Paris'

type Instant = Date | number | string
const toDate = (instant: Instant) => (instant instanceof Date ? instant : new Date(instant))

const dateFormat = new Intl.DateTimeFormat('fr-FR', {
  timeZone: TIME_ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
})
const timeFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit' })
const monthFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: TIME_ZONE, month: 'long', year: 'numeric' })
const longDateFormat = new Intl.DateTimeFormat('fr-FR', { timeZone: TIME_ZONE, dateStyle: 'full' })

export const formatDate = (instant: Instant) => dateFormat.format(toDate(instant))
export const formatTime = (instant: Instant) => timeFormat.format(toDate(instant))
export const formatDateTime = (instant: Instant) => `${formatDate(instant)} à${NBSP}${formatTime(instant)}`
export const formatMonth = (instant: Instant) => monthFormat.format(toDate(instant))
export const formatLongDate = (instant: Instant) => longDateFormat.format(toDate(instant))

const relativeFormat = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto' })
const RELATIVE_TIME_STEPS = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/** « il y a 5 minutes », « dans 2 jours », « à l’instant ». */
export function formatRelativeTime(instant: Instant, now: Instant = Date.now()) {
  const seconds = (toDate(instant).getTime() - toDate(now).getTime()) / 1000
  const step = RELATIVE_TIME_STEPS.find((candidate) => Math.abs(seconds) >= candidate.seconds)
  return step ? relativeFormat.format(Math.trunc(seconds / step.seconds), step.unit) : 'à l’instant'
}

/** 0 and 1 are singular in French; give the plural where an s does not make it. */
export const formatCount = (count: number, singular: string, several = `${singular}s`) =>
  withUnit(formatNumber(count), Math.abs(count) < 2 ? singular : several)

/** Reads what people type, « 1 234,5 » as well as « 1234.5 »; anything doubtful is null. */
export function parseNumber(text: string) {
  const compact = text.replace(/[\s\u00a0\u202f]/g, '').replace(/^\u2212/, '-')
  const plain = /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(compact) ? compact.replaceAll('.', '') : compact
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(plain) ? Number(plain.replace(',', '.')) : null
}
