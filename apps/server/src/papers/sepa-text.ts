import { formatDecimal } from './decimals.ts'

/** The character set that every SEPA bank accepts: unaccented letters, digits, and a few signs (EPC217-08). */
const ALLOWED = /^[A-Za-z0-9/?:().,'+ -]*$/
const NOT_ALLOWED = /[^A-Za-z0-9/?:().,'+ -]+/g
const ID = /^(?!\/)(?!.*\/\/)(?!.*\/$)[A-Za-z0-9/?:().,'+ -]{1,35}$/

/** Letters that are not a base letter with an accent, and signs replaced by a word. */
const TRANSLITERATIONS: Record<string, string> = {
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ß: 'ss',
  ẞ: 'SS',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '−': '-',
  '&': '+',
  '@': '(at)',
  '€': 'EUR',
  _: '-',
  '«': '',
  '»': '',
  '"': '',
}

/**
 * A text in the SEPA character set: transliterated, other characters removed, cut to length. It neither begins nor ends
 * with a slash, and has no double slash, which banks reserve.
 */
export function toSepaText(text: string, most = 140): string {
  const plain = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|[&@_"]/gu, (char) => TRANSLITERATIONS[char] ?? ' ')
    .replace(NOT_ALLOWED, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/ {2,}/g, ' ')
  const bare = (part: string) => part.replace(/^[ /]+|[ /]+$/g, '')
  return bare(bare(plain).slice(0, most))
}

/** Whether a text can be written as it is. */
export const isSepaText = (text: string) => ALLOWED.test(text)
/** A reference that banks return unchanged. */
export const isSepaId = (text: string) => ID.test(text) && text === text.trim()

const MAX_CENTS = 99_999_999_999

/** Cents in the decimal notation of banks; an amount that cannot be transferred is an internal error. */
export function formatSepaAmount(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 1 || cents > MAX_CENTS) throw new RangeError(`no sum to move: ${cents}`)
  return formatDecimal(cents, 2)
}
