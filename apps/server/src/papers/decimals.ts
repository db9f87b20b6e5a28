/**
 * An integer with its decimal point moved left: 1543 with four places is 0.1543. Built from digits, so that no division
 * rounds it.
 */
export function formatDecimal(units: number, places: number): string {
  if (!Number.isSafeInteger(units)) throw new RangeError(`not an integer: ${units}`)
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  const sign = units < 0 ? '-' : ''
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The same in French notation: 12 345,67, with a true minus sign. */
export function formatFrenchDecimal(units: number, places: number): string {
  const [whole = '', part] = formatDecimal(Math.abs(units), places).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')
  return `${units < 0 ? '−' : ''}${grouped}${part === undefined ? '' : `,${part}`}`
}

export const formatAmount = (cents: number) => formatDecimal(cents, 2)
export const formatEuros = (cents: number) => `${formatFrenchDecimal(cents, 2)}\u00a0€`
/** Watt-hours as kWh with three decimals. */
export const formatWhAsKwh = (wh: number) => `${formatFrenchDecimal(wh, 3)}\u00a0kWh`
/** 1/10 000 € per kWh in French notation: 15,43 c€/kWh. */
export const formatPricePerKwh = (price: number) => `${formatFrenchDecimal(price, 2)}\u00a0c€/kWh`
/** 1/100 %: 20 %, 5,5 %. */
export const formatBasisPoints = (bp: number) => `${formatFrenchDecimal(bp, 2).replace(/,?0+$/, '')}\u00a0%`
