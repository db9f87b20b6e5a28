import { computeIndexedPrice } from '@voisol/money/index-price'

const padTwo = (value: number) => String(value).padStart(2, '0')
/** In c€ with two decimals, from the integer: 1 543 is « 15,43 c€ ». */
export const formatPriceCents = (price: number) => `${Math.floor(price / 100)},${padTwo(price % 100)}\u00a0c€`
export const formatPricePerKwh = (price: number) => `${formatPriceCents(price)}/kWh`

/** A price outside this range is probably in the wrong unit: it gets a warning and is not refused. */
export const USUAL_PRICE_RANGE = { least: 200, most: 4000 }

const toDecimalComma = (text: string) => text.replace('.', ',')
/** A share in 1/100 %, as a decimal without trailing zeros: 2 000 is « 0,2 ». */
function formatShare(basisPoints: number): string {
  const digits = String(basisPoints).padStart(5, '0')
  const decimals = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${decimals && `,${decimals}`}`
}

type IndexTerms = { base: string; fixedBp?: number | undefined; floor?: number | undefined; cap?: number | undefined }

/** « 15,43 c€ × (0,2 + 0,8 × 121,37 / 118,02) = 15,78 c€ », with its floor or cap if applied. */
export function formatIndexComputation(
  p0: number,
  value: string,
  { base, fixedBp = 0, floor, cap }: IndexTerms,
): string {
  const ratio = `${toDecimalComma(value)} / ${toDecimalComma(base)}`
  const factor = fixedBp === 0 ? ratio : `(${formatShare(fixedBp)} + ${formatShare(10_000 - fixedBp)} × ${ratio})`
  const free = computeIndexedPrice(p0, value, { base, fixedBp })
  const sum = `${formatPriceCents(p0)} × ${factor} = ${formatPriceCents(free)}`
  if (cap !== undefined && Math.max(free, floor ?? free) > cap) return `${sum}, plafonné à ${formatPriceCents(cap)}`
  if (floor !== undefined && free < floor) return `${sum}, relevé au plancher de ${formatPriceCents(floor)}`
  return sum
}
