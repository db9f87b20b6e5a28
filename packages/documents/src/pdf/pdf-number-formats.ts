const formats = new Map<number, Intl.NumberFormat>()

/** « 1 234,5 »: with exactly that many decimals. */
export function formatNumber(value: number, decimals = 0): string {
  const known = formats.get(decimals)
  const format =
    known ?? new Intl.NumberFormat('fr-FR', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  if (!known) formats.set(decimals, format)
  return format.format(Math.round(value * 10 ** decimals) === 0 ? 0 : value).replace('-', '−')
}

export const formatWithUnit = (figure: string, unit: string) => `${figure}\u00a0${unit}`
export const formatKwh = (value: number) => formatWithUnit(formatNumber(value), 'kWh')
export const formatWholeEuros = (value: number) => formatWithUnit(formatNumber(value), '€')
export const formatPercentValue = (value: number, decimals = 1) => formatWithUnit(formatNumber(value, decimals), '%')
/** A price per kWh in euros, in the unit of the screens. */
export const formatEuroPricePerKwh = (value: number) =>
  formatWithUnit(formatNumber(value * 100, 2).replace(/,?0+$/, ''), 'c€/kWh')
/** 0 and 1 are singular. */
export const pluralize = (count: number, word: string, many = `${word}s`) => (Math.abs(count) < 2 ? word : many)
export const formatYears = (value: number) => formatWithUnit(formatNumber(value, 1), pluralize(value, 'an'))

const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' })
export const formatLongDate = (date: Date) => LONG.format(date).replace(/^1 /, '1er ')
