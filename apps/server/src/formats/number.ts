/** What a field may hold instead of a number. */
export const UNREADABLE_NUMBER = Number.POSITIVE_INFINITY
const NANO = 1e9
const DECIMALS = 9
const EMPTY_MARKS = new Set(['', '-', 'na', 'n/a', 'nan', 'null', 'nc'])

const POWERS = Array.from({ length: DECIMALS + 1 }, (_, n) => 10 ** n)

/**
 * Billionths of the number in a field: NaN when it is empty, UNREADABLE when it is no number. Digits are summed as integers,
 * because 1,0005 kW must round up, and 1.0005 × 1000 in floating point does not.
 */
export function parseNano(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  const negative = bytes[at] === 45
  if (negative) at++
  let whole = 0
  let decimals = -1
  const first = at
  for (; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit >= 0 && digit <= 9) {
      if (decimals < DECIMALS) whole = whole * 10 + digit
      if (decimals >= 0) decimals++
    } else if ((digit === -2 || digit === -4) && decimals < 0) decimals = 0
    else return parseUnusualNumber(bytes, from, to)
  }
  if (at === first || (decimals === 0 && at === first + 1)) return parseUnusualNumber(bytes, from, to)
  const kept = decimals < 0 ? 0 : Math.min(decimals, DECIMALS)
  const nano = whole * (POWERS[DECIMALS - kept] ?? NANO)
  return negative ? -nano : nano
}

function parseUnusualNumber(bytes: Uint8Array, from: number, to: number): number {
  let text = ''
  for (let at = from; at < Math.min(to, from + 40); at++) text += String.fromCharCode(bytes[at] ?? 0)
  // Spreadsheets group thousands with a plain, a no-break or a narrow no-break space, the last two in UTF-8 or not.
  text = text.replace(/\u00e2\u0080\u00af|\u00c2?\u00a0|\s/g, '').toLowerCase()
  if (EMPTY_MARKS.has(text)) return Number.NaN
  if (!/^-?\d+([.,]\d+)?(e[+-]?\d+)?$/.test(text)) return UNREADABLE_NUMBER
  return Math.round(Number(text.replace(',', '.')) * NANO)
}
