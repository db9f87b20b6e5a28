import { formatDecimal } from './decimals.ts'

/** What every bank of the area takes: letters without accents, digits, and a few signs (EPC217-08). */
const ALLOWED = /^[A-Za-z0-9/?:().,'+ -]*$/
const NOT_ALLOWED = /[^A-Za-z0-9/?:().,'+ -]+/g
const ID = /^(?!\/)(?!.*\/\/)(?!.*\/$)[A-Za-z0-9/?:().,'+ -]{1,35}$/

/** Letters that are not a plain letter with a mark on it, and signs that have a word. */
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
 * A text as a bank takes it: transliterated, what has no place in it left out, no longer than asked. Neither begins nor ends
 * with a slash, and holds no two of them in a row: banks read those as a mark of their own.
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
/** A reference that stays the same from us to the bank and back. */
export const isSepaId = (text: string) => ID.test(text) && text === text.trim()

const MAX_CENTS = 99_999_999_999

/** Cents as a bank reads them; what is not a sum that can be moved is an error of ours. */
export function formatSepaAmount(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 1 || cents > MAX_CENTS) throw new RangeError(`no sum to move: ${cents}`)
  return formatDecimal(cents, 2)
}
