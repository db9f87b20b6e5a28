const formats = new Map<number, Intl.NumberFormat>()

/** « 1 234,5 »: exactly so many decimals. */
export function number(value: number, decimals = 0): string {
  const known = formats.get(decimals)
  const format =
    known ?? new Intl.NumberFormat('fr-FR', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  if (!known) formats.set(decimals, format)
  return format.format(Math.round(value * 10 ** decimals) === 0 ? 0 : value).replace('-', '−')
}

export const withUnit = (figure: string, unit: string) => `${figure}\u00a0${unit}`
export const kwh = (value: number) => withUnit(number(value), 'kWh')
export const euros = (value: number) => withUnit(number(value), '€')
export const percent = (value: number, decimals = 1) => withUnit(number(value, decimals), '%')
/** Of a kWh, in the unit that every screen tells it in; in euros. */
export const price = (value: number) => withUnit(number(value * 100, 2).replace(/,?0+$/, ''), 'c€/kWh')
/** 0 and 1 are singular. */
export const plural = (count: number, word: string, many = `${word}s`) => (Math.abs(count) < 2 ? word : many)
export const years = (value: number) => withUnit(number(value, 1), plural(value, 'an'))

const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' })
export const longDate = (date: Date) => LONG.format(date).replace(/^1 /, '1er ')
